"""Run every example and list the files it writes: `make examples`."""

import ast
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

HERE, FIRST = Path(__file__).parent, "walk.py"


def main() -> int:
    console = Console(highlight=False)
    files = sorted(HERE.glob("[!_]*.py"), key=lambda file: (file.name != FIRST, file.name))
    columns = (SpinnerColumn(), TextColumn("examples"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar, ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, run in bar.track(zip(files, pool.map(started, files), strict=True), total=len(files)):
            if run.returncode:
                console.print(f"{file.name} failed:\n{run.stdout}{run.stderr}", markup=False)
                pool.shutdown(cancel_futures=True)
                return 1
            console.print(f"  {file.stem:<20} {question(file)}", markup=False, soft_wrap=True)
    for words, pattern in (("Open in a browser, and watch:", "*.html"), ("Look at:", "*.png")):
        console.print(
            f"\n{words}", *(f"  {path}" for path in sorted(Path("out").glob(pattern))), sep="\n", markup=False
        )
    return 0


def started(file: Path):
    """Run an example without a display."""
    env = os.environ | {"MPLBACKEND": "Agg"}
    return subprocess.run([sys.executable, file], env=env, capture_output=True, text=True, check=False)


def question(file: Path) -> str:
    """Return the first line of an example's docstring."""
    return (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").splitlines()[0]


if __name__ == "__main__":
    sys.exit(main())
