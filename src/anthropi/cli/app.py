"""The `anthropi` command: the list of subcommands, their import on demand, and error messages in one line.

A subcommand is a module of this package and an entry in `COMMANDS`. Its module is imported when the subcommand is
called, so that help and completion are fast.

Exit codes: 0 success; 1 finished with a negative result (the figure fell, the goal was missed, a law fails); 2 not run
because of an error in the input, which is printed in one line; 70 internal error; 130 stopped by Ctrl-C.
"""

import contextlib
import io
import os
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command_from_info

from anthropi import __version__
from anthropi.compiler import cache
from anthropi.errors import AnthropiError, did_you_mean

__all__ = ["COMMANDS", "app", "one_line"]

REFUSED, FAULT, STOPPED = 2, 70, 130

COMMANDS: dict[str, tuple[str, str]] = {  # name: (module, first line of the help)
    "walk": ("walk", "Simulate a person who walks: balanced by a controller, planned by HIDDS, or by a script."),
    "run": ("perform", "Simulate a person who runs, with a flight phase, balanced by a controller."),
    "jump": ("perform", "Simulate a person who jumps, in place or forward, lands and stands."),
    "dance": ("perform", "Simulate a person who dances: keyframes tracked by a balancing controller."),
    "go": ("perform", "Simulate a person who walks to a goal and avoids fixed and moving obstacles."),
    "live": ("live", "Write a page in which a scene is simulated: drag and push it in any browser, without a server."),
    "simulate": ("simulate", "Run a script: figures, a scene, controllers and timed events."),
    "inverse": ("inverse", "Compute the joint forces of a motion by inverse dynamics: forces, power, work, residual."),
    "hidds": ("hidds", "Compute the forces of a motion by inverse dynamics, simulate them, and report the error."),
    "track": ("track", "Simulate a captured motion in contact with the ground, by joint forces alone."),
    "verify": ("verify", "Check the laws that a motion must obey: momentum, contact, loops, limits, time and more."),
    "refine": ("refine", "Refine the forces of a motion until simulation reproduces it, or the parameters of a "
               "walker."),
    "gait-report": ("gait_report", "Compare a walk with measured adult gait: angles, forces, steps, work, symmetry."),
    "gait-trends": ("gait_trends", "Compare walks at several speeds with the trends measured in adults."),
    "push-map": ("push_map", "Find the largest push that a walker survives, by direction and phase of the stride."),
    "study": ("study", "Compute a function at many points, on this machine or on a cluster."),
    "assemble": ("assemble", "Place the bodies of an assembly so that its constraints hold; list what stays free."),
    "info": ("figures", "Describe a figure, a motion and its figure, or a recording: markers, force plates, events."),
    "convert": ("figures", "Convert a figure or a motion to another file format."),
    "studio": ("studio", "Open the studio in a browser: edit figures, simulate, play motions, export."),
    "bench": ("bench", "Measure the dynamics kernels on a figure, on one core."),
}  # fmt: skip
RENAMED_OPTIONS = {"--picture": "--plot"}  # old name, still accepted: new name


class Commands(TyperGroup):
    """The subcommands, each imported when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        """List all names, the most used first."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import the module of a subcommand and return the command; None if the name is unknown."""
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            import_module(f"anthropi.cli.{COMMANDS[cmd_name][0]}")
            for info in app.registered_commands:
                command = get_command_from_info(info, pretty_exceptions_short=True, rich_markup_mode=None)
                self.commands.setdefault(str(command.name), command)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: Any) -> Any:
        """Find the subcommand that is called; if it does not exist, suggest the nearest name."""
        args = [_renamed(str(word)) for word in args]
        name = args[0]
        if ctx.resilient_parsing:  # completion of a command line
            return super().resolve_command(ctx, args)
        if name not in COMMANDS and not name.startswith("-"):
            ctx.fail(f"No such command '{name}'.{did_you_mean(name, COMMANDS)}")
        if list(args[1:]) == ["--help"]:
            typer.echo(self._help_of(ctx, name))
            ctx.exit()
        return super().resolve_command(ctx, args)

    def _help_of(self, ctx, name: str) -> str:
        """Return the help text of a subcommand. It is cached, because importing the module takes longer."""
        width = shutil.get_terminal_size().columns
        place = f"{cache.digest(cache.source_digest(''), name, ctx.info_name or '', str(width))}.help"
        known = cache.read(place)
        if known is not None:
            return known[1].decode()
        command = self.get_command(ctx, name)
        text = command.get_help(command.make_context(name, [], parent=ctx, resilient_parsing=True))
        cache.write(place, {}, text.encode())
        return text

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the subcommands with their descriptions, without importing them."""
        limit = formatter.width - 6 - max(map(len, COMMANDS))
        with formatter.section("Commands"):
            formatter.write_dl([(name, _short(words, limit)) for name, (_, words) in COMMANDS.items()])

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Complete options, and names of subcommands without importing them."""
        from typer._click.shell_completion import CompletionItem

        named = [
            CompletionItem(name, help=_short(words, 70))
            for name, (_, words) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return named if not incomplete.startswith("-") else super(TyperGroup, self).shell_complete(ctx, incomplete)

    def invoke(self, ctx: Any) -> Any:
        """Run a subcommand; print an error as one line and set the exit code."""
        with one_line():
            return super().invoke(ctx)


app = typer.Typer(
    cls=Commands,
    add_completion=True,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Dynamics for articulated figures: people, robots, mechanisms.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"anthropi {__version__}")
        raise typer.Exit()


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Dynamics for articulated figures: people, robots, mechanisms."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # characters that the terminal cannot show become "?"


@contextlib.contextmanager
def one_line() -> Iterator[None]:
    """Print an error raised in the context as one line and exit with an error code.

    With the environment variable ANTHROPI_TRACEBACK=1, the traceback is printed, too.
    """
    try:
        yield
    except KeyboardInterrupt as stop:
        _say(str(stop) if isinstance(stop, AnthropiError) else "stopped; nothing more was written.")
        raise typer.Exit(STOPPED) from None
    except AnthropiError as error:
        _traceback()
        _say(str(error))
        raise typer.Exit(REFUSED) from None
    except BrokenPipeError:  # the reader of the output has closed the pipe
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
    except OSError as error:
        _traceback()
        _say(f"{error.filename or 'the system'}: {error.strerror or error}.")
        raise typer.Exit(REFUSED) from None
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:
        if _from_parser(error):
            raise
        _traceback()
        _say(
            f"internal error: {type(error).__name__}: {error}. This is a bug in AnthroPI. "
            "Run the command again with ANTHROPI_TRACEBACK=1 and report it with the traceback."
        )
        raise typer.Exit(FAULT) from None


def _from_parser(error: Exception) -> bool:
    """Return whether an error comes from the parser of the command line, which prints its own message."""
    return type(error).__module__.startswith(("typer", "click"))


def _traceback() -> None:
    if os.environ.get("ANTHROPI_TRACEBACK"):
        import traceback

        traceback.print_exc()


def _say(words: str) -> None:
    typer.echo("anthropi: " + " ".join(words.split()), err=True)


def _renamed(word: str) -> str:
    """Return a command-line argument with an old option name replaced by the new one."""
    name, equals, value = word.partition("=")
    return RENAMED_OPTIONS.get(name, name) + equals + value


def _short(words: str, limit: int) -> str:
    """Shorten a text to at most `limit` characters, at a space."""
    if len(words) <= limit:
        return words
    return words[: max(limit - 2, 1)].rsplit(" ", 1)[0].rstrip(",;:") + " …"
