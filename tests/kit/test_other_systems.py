"""Systems that lack what Linux has: every module loads, and Windows is told what works."""

import subprocess
import sys

# Third parties do otherwise on such a system; only our own modules find these missing here.
WITHOUT = """
import builtins, ctypes, os, platform, signal, sys, time
import IPython.core.interactiveshell, matplotlib.pyplot, platformdirs, psutil, pyspark, pytest
import jupyter_server.base.handlers, jupyter_server.serverapp
MISSING = {"fcntl", "grp", "pwd", "resource", "termios", "tty"}
find = builtins.__import__

def find_what_is_there(name, globals=None, *rest, **more):
    by = (globals or {}).get("__name__", "")
    if name in MISSING and by.split(".")[0] in ("trainer", "datagen", "__main__"):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return find(name, globals, *rest, **more)

builtins.__import__ = find_what_is_there
ctypes.CDLL = lambda name, *rest, **more: object()
for module, names in {
    os: ("fork", "geteuid", "getuid", "killpg", "setgroups", "setuid"),
    signal: ("SIGKILL", "SIGHUP"),
    time: ("tzset",),
}.items():
    for name in names:
        delattr(module, name)
"""
LOAD_ALL = """
import importlib, pkgutil
import datagen, trainer
for package in (datagen, trainer):
    for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        # That is no module: it is a program, which loads one.
        if not each.name.endswith("__main__"):
            importlib.import_module(each.name)
            print(each.name)
"""
ON_WINDOWS = """
platform.system = lambda: "Windows"
sys.argv = ["trainer", *sys.argv[1:]]
from trainer import cli
cli.main()
"""


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own, where much is missing."""
    command = [sys.executable, "-c", WITHOUT + code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_every_module_loads_where_much_is_missing():
    """What only Linux has is asked for where it is needed, not where a module is loaded."""
    ran = run(LOAD_ALL)
    assert ran.stderr == ""
    assert {"datagen.cli", "trainer.learner.watch", "trainer.grading.judging.worker"} <= set(
        ran.stdout.split()
    )


def test_windows_is_told_in_one_line_what_works():
    """Whatever was asked for."""
    for command in ("watch", "grade", "--help"):
        ran = run(ON_WINDOWS, command)
        assert (ran.returncode, ran.stdout) == (2, "")
        (line,) = ran.stderr.splitlines()
        assert line.startswith("trainer: This is Windows")
        assert "WSL2" in line
