"""The `anthropi` command line. A new subcommand is a new module here and an entry in `app.COMMANDS`."""

from anthropi.cli.app import COMMANDS, app

__all__ = ["COMMANDS", "app"]
