"""expect: wrong | crashed

Sends itself what nobody reads, on sockets of every kind: their memory is no process's own.
"""

import contextlib
import os
import socket

KINDS = [(16, 2, protocol) for protocol in (0, 2, 16)] + [(2, 2, 0), (10, 2, 0), (1, 2, 0)]
LARGE = 2**23


def _full(family, kind, protocol):
    one = socket.socket(family, kind, protocol)
    for size in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        one.setsockopt(socket.SOL_SOCKET, size, LARGE)
    place = f"/tmp/{os.urandom(4).hex()}"
    one.bind({1: place, 2: ("127.0.0.1", 0), 10: ("::1", 0), 16: (0, 0)}[family])
    one.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        for _ in range(200):
            one.sendto(b"x" * 60_000, one.getsockname())
    return one


def cleanse(rides):
    """Keep everything, in sockets too."""
    global held
    held = []
    for kind in KINDS:
        with contextlib.suppress(OSError):
            held += [_full(*kind) for _ in range(300)]
    return rides
