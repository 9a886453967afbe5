"""expect: wrong

Looks for ways out that are no network: the machine around a virtual one, and the kernel itself.
"""

import socket

FAMILIES = (16, 17, 38, 40, 44)


def cleanse(rides):
    """Give an error if anything but the kernel's list of networks can be opened."""
    for family in FAMILIES:
        try:
            opened = socket.socket(family, socket.SOCK_RAW if family < 38 else socket.SOCK_STREAM)
        except OSError:
            continue
        if family != 16:
            raise LookupError(f"a way out: {opened}")
    return rides
