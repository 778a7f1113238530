"""The command `anthropi`. A new command is a new file here and an entry in `app.COMMANDS`."""

from anthropi.cli.app import COMMANDS, app

__all__ = ["COMMANDS", "app"]
