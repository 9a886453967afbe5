"""The machines that a bundle is made for, in the words of wheels."""

from collections.abc import Sequence
from dataclasses import dataclass

from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms

from trainer.course.problem import Problem

# Those for which every package has a wheel; of these the learner's machine needs one.
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


@dataclass(frozen=True)
class Platform:
    """A kind of machine: what it is called here, what it must have, which wheels it takes."""

    name: str
    needs: str
    tags: Sequence[str]
    markers: dict[str, str]

    def wheel_tags(self, python: str) -> set[Tag]:
        """Give the tags of the wheels that this Python takes on it."""
        version = tuple(map(int, python.split(".")))
        system, *_ = self.tags[0].split("_")
        tags = self.tags
        if system == "macosx":
            tags = [*mac_platforms((12, 0), self.markers["platform_machine"])]
        own = cpython_tags(version, platforms=tags)
        interpreter = f"cp{python.replace('.', '')}"
        return {*own, *compatible_tags(version, interpreter=interpreter, platforms=tags)}

    def environments(self, python: str) -> list[dict[str, str]]:
        """Give what its markers may be: for the first release of this Python, and for the last."""
        return [
            {**self.markers, "python_version": python, "python_full_version": f"{python}.{patch}"}
            for patch in (0, 99)
        ]


def _linux(machine: str) -> Platform:
    tags = [f"manylinux_2_{minor}_{machine}" for minor in range(28, 4, -1)]
    markers = {"sys_platform": "linux", "platform_system": "Linux"}
    needs = "glibc 2.28 or newer (Debian 10, Ubuntu 20.04, RHEL 8); WSL2 is such a Linux"
    return _platform("linux", machine, needs, [*tags, f"manylinux2014_{machine}"], markers)


def _macos(machine: str) -> Platform:
    markers = {"sys_platform": "darwin", "platform_system": "Darwin"}
    return _platform("macos", machine, "macOS 12 or newer", [f"macosx_12_0_{machine}"], markers)


def _platform(
    system: str, machine: str, needs: str, tags: Sequence[str], markers: dict[str, str]
) -> Platform:
    python = {
        "os_name": "posix",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    own = {**python, **markers, "platform_machine": machine}
    return Platform(f"{system}-{machine}", needs, tags, own)


PLATFORMS = {
    each.name: each
    for each in (_linux("x86_64"), _linux("aarch64"), _macos("arm64"), _macos("x86_64"))
}


def chosen(names: Sequence[str]) -> list[Platform]:
    """Give the platforms of these names; `all`, or none at all, is every one."""
    if not names or "all" in names:
        return [*PLATFORMS.values()]
    for name in names:
        if name not in PLATFORMS:
            known = ", ".join(PLATFORMS)
            raise Problem(f"No platform '{name}'. There are {known}, and all; WSL is a Linux.")
    return [PLATFORMS[name] for name in dict.fromkeys(names)]


def chosen_pythons(versions: Sequence[str]) -> list[str]:
    """Give the Pythons of these versions; none is every one."""
    for version in versions:
        if version not in PYTHONS:
            raise Problem(f"No Python '{version}' for a bundle. There are {', '.join(PYTHONS)}.")
    return [python for python in PYTHONS if not versions or python in versions]
