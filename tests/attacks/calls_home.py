"""expect: wrong

Sends what it has seen to a machine elsewhere, and asks there for the answer.
"""

import socket


def cleanse(rides):
    """Ask the network; give what a reply would be told apart by."""
    for address in (("1.1.1.1", 53), ("8.8.8.8", 53), ("example.com", 80)):
        try:
            socket.create_connection(address, timeout=2)
        except OSError:
            continue
        return None
    return rides
