"""Pin every package, transitive ones too, to what resolves today.

uv run tools/pin.py

Writes the pins twice, for uv into pyproject.toml and for pip and conda into constraints.txt:
neither reads the other's place. Run all tests after it: what passes them is what a class gets.
"""

import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"constraint-dependencies = \[\n.*?^\]\n", re.DOTALL | re.MULTILINE)
EXPORT = "uv export --quiet --no-hashes --no-emit-project --all-groups --no-annotate --no-header"


def resolve(pyproject: str) -> list[str]:
    """Resolve for every platform and Python, free of the old pins."""
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch, "pyproject.toml").write_text(BLOCK.sub("", pyproject))
        answer = subprocess.check_output(EXPORT.split(), cwd=scratch, text=True)
    return sorted(answer.splitlines(), key=str.lower)


def main() -> None:
    """Write both lists."""
    file = ROOT / "pyproject.toml"
    pins = resolve(file.read_text())
    (ROOT / "constraints.txt").write_text("".join(f"{pin}\n" for pin in pins))
    block = "".join(f'    "{pin}",\n' for pin in pins)
    block = f"constraint-dependencies = [\n{block}]\n"
    file.write_text(BLOCK.sub(lambda _: block, file.read_text()))


if __name__ == "__main__":
    main()
