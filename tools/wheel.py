"""Build the wheel, check what it holds, install it in a clean environment and let a figure walk: `make wheel`.

The wheel is left in `dist/`. The environment is a temporary one with the required dependencies only, an empty kernel
cache and no access to the checkout, so that a missing file or an undeclared dependency shows. Needs pip's index.
"""

import os
import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOREIGN = ("research", "recipes", "trials", "tests", "benchmarks", "examples", "docs", "tools")  # not for users
NOTICES = "formats/pages/bundle/THIRD_PARTY_NOTICES.txt"


def build(into: Path) -> Path:
    """Build the wheel of the checkout and return its path."""
    into.mkdir(exist_ok=True)
    for old in into.glob("*.whl"):
        old.unlink()
    pip(sys.executable, "wheel", "--no-deps", "--wheel-dir", into, ROOT)
    (made,) = into.glob("*.whl")
    return made


def pip(python, *arguments) -> None:
    command = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    subprocess.run([str(word) for word in command], check=True)


def problems(names: list[str], files: list[str]) -> list[str]:
    """What is wrong with the names in a wheel. files : of the package, relative to src."""
    licences = [name for name in names if ".dist-info/licenses/" in name]
    found = [f"lacks {name}" for name in files if name not in names]
    for name in names:
        unknown = ".dist-info/" not in name and name not in files
        if unknown or set(Path(name).parts[:-1]) & set(FOREIGN):
            found.append(f"holds {name}")
    found += [
        f"lacks the licence file {end}" for end in ("/LICENSE", NOTICES) if not any(n.endswith(end) for n in licences)
    ]
    return found


def package_files() -> list[str]:
    """Files of the package that git tracks or would track, relative to src."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "anthropi"]
    listed = subprocess.run(command, cwd=ROOT / "src", capture_output=True, text=True, check=True).stdout.splitlines()
    return [name for name in listed if (ROOT / "src" / name).is_file()]


def main() -> int:
    start = time.perf_counter()
    wheel = build(ROOT / "dist")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    wrong = problems(names, package_files())
    print(
        f"{wheel.name}: {len(names)} files, {wheel.stat().st_size / 1e6:.2f} MB ({time.perf_counter() - start:.0f} s)"
    )
    for line in wrong:
        print(f"  the wheel {line}")
    with tempfile.TemporaryDirectory(prefix="anthropi-wheel-") as folder:
        start = time.perf_counter()
        venv.create(f"{folder}/venv", with_pip=True)
        programs = Path(folder, "venv", "Scripts" if os.name == "nt" else "bin")
        pip(programs / "python", "install", wheel)
        print(f"installed in a clean environment ({time.perf_counter() - start:.0f} s)")
        start = time.perf_counter()
        env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        env |= {"ANTHROPI_CACHE": f"{folder}/cache"}
        for command in (["--version"], ["walk", "--steps", "4", "--out", f"{folder}/walk.npz"]):
            subprocess.run([programs / "anthropi", *command], cwd=folder, env=env, check=True)
        print(f"anthropi walk ran ({time.perf_counter() - start:.0f} s, without a kernel cache)")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
