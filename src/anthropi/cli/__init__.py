"""The `anthropi` command line. To add a subcommand, add a module here and an entry in `app.COMMANDS`."""

from anthropi.cli.app import COMMANDS, app

__all__ = ["COMMANDS", "app"]
