"""The command `anthropi` itself. A command is a file here and an entry in `COMMANDS`; its file is loaded when it is
called, so that help and completion cost nothing.

Exit codes: 0 done; 1 done, and the answer is no (somebody fell, a goal was missed); 2 refused, with one line that says
why; 70 a fault of ours; 130 stopped by Ctrl-C.
"""

import contextlib
import io
import os
import shutil
import sys
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

COMMANDS: dict[str, tuple[str, str]] = {  # name: (the file that has it, what it does: the first line of its help)
    "walk": ("walk", "A person walks, in balance by itself; or by --method hidds, planned; or as --script says."),
    "run": ("perform", "A person runs, with a flight phase, in balance by itself."),
    "jump": ("perform", "A person jumps, in place or forward, lands and stands."),
    "dance": ("perform", "A person dances, keyframes tracked in balance."),
    "go": ("perform", "A person goes to a place, round obstacles that stand or move."),
    "simulate": ("simulate", "Run a script: figures in a scene, what drives them, and what happens when."),
    "inverse": ("inverse", "Which forces made a motion: joint forces, power and work, and what the root lacks."),
    "hidds": ("hidds", "Inverse dynamics of a motion, then direct dynamics of its forces: what comes of it, and how "
              "far it is off."),
    "refine": ("refine", "Refine the forces of a motion until direct dynamics alone makes it; with edits, run the "
               "edited forces instead."),
    "gait-report": ("gait_report", "How human is a walk? Curves, forces, steps, work and symmetry beside what real "
                    "adults score."),
    "gait-trends": ("gait_trends", "Does a walk change with its speed as people's does? Steps, forces and knees over "
                    "the speeds of several walks."),
    "push-map": ("push_map", "How hard can a walker be pushed? The largest survived impulse by direction and phase of "
                 "the stride."),
    "assemble": ("assemble", "Place bodies by what must be true between them, and say what is left free."),
    "info": ("figures", "Show what a figure is made of; of a file that holds a motion, its figure and what else is in "
             "it."),
    "convert": ("figures", "Read a figure, or a motion, in one format and write it in another."),
    "studio": ("studio", "Open the studio in a browser: see a figure, touch it, make it move, share it."),
    "bench": ("bench", "Measure the dynamics kernels on a figure, on one core."),
}  # fmt: skip


class Commands(TyperGroup):
    """The commands, each loaded when it is called; and what ends in an error, in one line."""

    def list_commands(self, ctx) -> list[str]:
        """All names, those used most first."""
        return list(COMMANDS)

    def get_command(self, ctx, cmd_name: str):
        """A command, from its file."""
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            import_module(f"anthropi.cli.{COMMANDS[cmd_name][0]}")
            for info in app.registered_commands:
                command = get_command_from_info(info, pretty_exceptions_short=True, rich_markup_mode=None)
                self.commands.setdefault(str(command.name), command)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx, args):
        """The command that is called; a slip of the fingers is answered with what was meant."""
        name = str(args[0])
        if ctx.resilient_parsing:  # somebody completes a line
            return super().resolve_command(ctx, args)
        if name not in COMMANDS and not name.startswith("-"):
            ctx.fail(f"No such command '{name}'.{did_you_mean(name, COMMANDS)}")
        if list(args[1:]) == ["--help"]:
            typer.echo(self._help_of(ctx, name))
            ctx.exit()
        return super().resolve_command(ctx, args)

    def _help_of(self, ctx, name: str) -> str:
        """The help of a command; remembered, since loading a command takes longer than reading about it."""
        width = shutil.get_terminal_size().columns
        place = f"{cache.digest(cache.source_digest(''), name, ctx.info_name or '', str(width))}.help"
        known = cache.read(place)
        if known is not None:
            return known[1].decode()
        command = self.get_command(ctx, name)
        text = command.get_help(command.make_context(name, [], parent=ctx, resilient_parsing=True))
        cache.write(place, {}, text.encode())
        return text

    def format_commands(self, ctx, formatter) -> None:
        """The names and what they do, without loading them."""
        limit = formatter.width - 6 - max(map(len, COMMANDS))
        with formatter.section("Commands"):
            formatter.write_dl([(name, _short(words, limit)) for name, (_, words) in COMMANDS.items()])

    def shell_complete(self, ctx, incomplete: str):
        """Names and options that begin so, without loading the commands."""
        from typer._click.shell_completion import CompletionItem

        named = [CompletionItem(name, help=_short(words, 70)) for name, (_, words) in COMMANDS.items()
                 if name.startswith(incomplete)]  # fmt: skip
        return named if not incomplete.startswith("-") else super(TyperGroup, self).shell_complete(ctx, incomplete)

    def invoke(self, ctx) -> Any:
        """Run a command; what goes wrong is said in one line, with an exit code."""
        with one_line():
            return super().invoke(ctx)


app = typer.Typer(
    cls=Commands, add_completion=True, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None,
    help="Dynamics for articulated figures: people, robots, mechanisms.",
)  # fmt: skip


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"anthropi {__version__}")
        raise typer.Exit()


@app.callback()
def main(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which.")] = False,
) -> None:
    """Dynamics for articulated figures: people, robots, mechanisms."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that does not know ² shows ? rather than nothing


@contextlib.contextmanager
def one_line():
    """What AnthroPI refuses, and what else goes wrong, in one line. ANTHROPI_TRACEBACK=1 shows where it happened."""
    try:
        yield
    except KeyboardInterrupt as stop:
        _say(str(stop) if isinstance(stop, AnthropiError) else "stopped; no more was written.")
        raise typer.Exit(STOPPED) from None
    except AnthropiError as error:
        _traceback()
        _say(str(error))
        raise typer.Exit(REFUSED) from None
    except BrokenPipeError:  # who reads our output has seen enough
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
        if _ours(error):
            raise
        _traceback()
        _say(f"a fault of AnthroPI, not of yours: {type(error).__name__}: {error}. "
             "Run it again with ANTHROPI_TRACEBACK=1 to see where, and please report it.")  # fmt: skip
        raise typer.Exit(FAULT) from None


def _ours(error: Exception) -> bool:
    """Whether the command line itself raised it, about how it was called."""
    return type(error).__module__.startswith(("typer", "click"))


def _traceback() -> None:
    if os.environ.get("ANTHROPI_TRACEBACK"):
        import traceback

        traceback.print_exc()


def _say(words: str) -> None:
    typer.echo("anthropi: " + " ".join(words.split()), err=True)


def _short(words: str, limit: int) -> str:
    """The words, cut after one that fits."""
    if len(words) <= limit:
        return words
    return words[: max(limit - 2, 1)].rsplit(" ", 1)[0].rstrip(",;:") + " …"
