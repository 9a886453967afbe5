"""After the first set-up nothing reaches for a network, and no Java has to be installed."""

import shutil
import subprocess
import sys

import pytest

ISOLATED = ["bwrap", "--dev-bind", "/", "/", "--unshare-net"]


def can_be_isolated() -> bool:
    """Say whether bubblewrap is here and allowed to cut the network off."""
    if not shutil.which("bwrap"):
        return False
    return (
        subprocess.run([*ISOLATED, sys.executable, "-c", ""], capture_output=True).returncode == 0
    )


@pytest.mark.skipif(not can_be_isolated(), reason="bubblewrap is missing, or not allowed, here")
def test_lessons_run_with_no_network_and_no_java(tmp_path):
    """Streaming queries run with loopback only, on the Java of the wheel."""
    for tool in ("bash", "chmod", "dirname", "ps", "sh"):
        (tmp_path / tool).symlink_to(shutil.which(tool))
    ran = subprocess.run(
        [shutil.which("bwrap"), *ISOLATED[1:], sys.executable, "-m", "trainer.running.rehearsal"],
        env={"PATH": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert (ran.stdout.strip(), ran.stderr) == ("16", "")
