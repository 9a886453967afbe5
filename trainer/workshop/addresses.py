"""Which address of this machine the others in the room can reach."""

import ipaddress
import socket

import psutil

EVERYWHERE = ("", "0.0.0.0", "::")


def shown(host: str) -> str:
    """Give the address to project: the one that is served, or the likeliest of all there are."""
    if host not in EVERYWHERE:
        return f"[{host}]" if ":" in host else host
    return next(iter(addresses()), "127.0.0.1")


def others(host: str) -> list[str]:
    """List at which addresses beside the one that is shown it is served as well."""
    return [each for each in addresses() if each != shown(host)] if host in EVERYWHERE else []


def addresses() -> list[str]:
    """List this machine's IPv4 addresses in networks that are up, a room's own kind first."""
    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    found = [
        ipaddress.ip_address(each.address)
        for name, some in psutil.net_if_addrs().items()
        for each in some
        if name in up and each.family == socket.AF_INET and not _of_containers(name)
    ]
    reached = [each for each in found if not each.is_loopback and not each.is_link_local]
    return [str(each) for each in sorted(reached, key=lambda each: (not each.is_private, each))]


def _of_containers(name: str) -> bool:
    return name.startswith(("docker", "br-", "veth", "virbr", "tun", "tap", "utun"))
