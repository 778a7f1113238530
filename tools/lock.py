"""Write requirements.lock: the versions and hashes of all packages that `make test` installs.

pip resolves the extras below, without installing them, and names the file that it would take for each package. The
hashes are those of the files for this platform (Linux x86-64 and Python 3.11 in the repository). To install exactly
these files, then the package itself:

    python -m pip install --require-hashes -r requirements.lock
    python -m pip install --no-deps -e .
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXTRAS = "dev,gpu,wasm"


def locked() -> list[str]:
    """Return the lines of the lock, sorted by name."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "-q", "--dry-run", "--ignore-installed"]
        subprocess.run([*command, "--report", str(report), f"{ROOT}[{EXTRAS}]"], check=True)
        found = json.loads(report.read_text(encoding="utf-8"))["install"]
    lines = []
    for entry in found:
        hashes = entry["download_info"].get("archive_info", {}).get("hashes", {})
        if "sha256" in hashes:  # the project itself has none
            about = entry["metadata"]
            lines.append(f"{about['name'].lower()}=={about['version']} --hash=sha256:{hashes['sha256']}")
    return sorted(lines)


if __name__ == "__main__":
    head = f"# Written by tools/lock.py for anthropi[{EXTRAS}]; see there how to install from it.\n"
    head += "# torch is the build for the CPU, which is not the file that every package index gives.\n"
    (ROOT / "requirements.lock").write_text(head + "\n".join(locked()) + "\n", encoding="utf-8")
