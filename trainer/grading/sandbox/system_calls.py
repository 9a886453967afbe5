"""What a submission may not ask of the kernel: a filter of system calls, made by libseccomp.

Name spaces take files, processes and the network away. What is refused here is what they leave:
keyrings that outlive a process, memory that belongs to no file and no process, other processes'
memory, what tells of others who read the same files, new name spaces, kinds of sockets that reach
past the network, and doors to the kernel that no answer needs.
"""

import ctypes
import errno
import tempfile
from collections.abc import Callable, Iterable
from functools import cache

LIBRARY = "libseccomp.so.2"
REFUSED = {
    "keyrings": "add_key keyctl request_key",
    # Through a file that can only be read, too: one that others wait for.
    "locks": "flock",
    "what outlives its process": "mq_open mq_unlink msgctl msgget msgrcv msgsnd semctl semget "
    "semop semtimedop shmat shmctl shmdt shmget",
    "memory that nobody counts": "memfd_create memfd_secret userfaultfd",
    "what the whole machine shares": "io_cancel io_destroy io_getevents io_pgetevents io_setup "
    "io_submit",
    "who else reads a file": "cachestat inotify_add_watch inotify_init inotify_init1 mincore "
    "preadv2 pwritev2",
    "other processes": "kcmp pidfd_getfd process_madvise process_mrelease process_vm_readv "
    "process_vm_writev ptrace migrate_pages move_pages",
    "name spaces and mounts": "chroot fsconfig fsmount fsopen fspick mount mount_setattr "
    "move_mount name_to_handle_at open_by_handle_at open_tree pivot_root setns umount2 unshare",
    "the kernel itself": "acct adjtimex bpf clock_adjtime clock_settime delete_module "
    "fanotify_init finit_module init_module io_uring_enter io_uring_register io_uring_setup "
    "kexec_file_load kexec_load lookup_dcookie nfsservctl perf_event_open personality quotactl "
    "quotactl_fd reboot settimeofday swapoff swapon syslog",
}
# What changes nothing here but how fast a file is read: done, as far as who asks can tell.
PRETENDED = ("fadvise64", "readahead")
# A lock on a file that can only be read is seen by all who read it, too; stores lock their own.
PRETENDED_OF_A_FILE = {"F_SETLK": 6, "F_SETLKW": 7, "F_OFD_SETLK": 37, "F_OFD_SETLKW": 38}
REFUSED_OF_A_FILE = {
    **{"F_GETLK": 5, "F_OFD_GETLK": 36, "F_SETLEASE": 1024, "F_GETLEASE": 1025},
    "F_NOTIFY": 1026,
}
LOCAL, INTERNET = 1, (2, 10)
LAST_FAMILY = 16
# Streams alone, and by TCP: what others hold is memory that nobody counts.
KINDS, STREAM, TCP = 0xF, 1, 6
NEW_USER_SPACE = 0x10000000

ALLOW, REFUSE = 0x7FFF0000, 0x00050000
DONE = 0
EQUAL, GREATER, MASKED = 4, 6, 7


class _Argument(ctypes.Structure):
    """Libseccomp's `scmp_arg_cmp`: which argument, how it is compared, and to what."""

    _fields_ = (
        ("number", ctypes.c_uint),
        ("compared", ctypes.c_int),
        ("one", ctypes.c_uint64),
        ("other", ctypes.c_uint64),
    )


@cache
def library() -> ctypes.CDLL:
    """Load libseccomp; OSError where it is not installed."""
    loaded = ctypes.CDLL(LIBRARY)
    loaded.seccomp_init.restype = ctypes.c_void_p
    return loaded


def number(call: str) -> int:
    """Give the number that a system call has on this machine; negative if it has none."""
    return library().seccomp_syscall_resolve_name(call.encode())


@cache
def filter_program() -> bytes:
    """Write the filter as the kernel reads it."""
    made = ctypes.c_void_p(library().seccomp_init(ctypes.c_uint32(ALLOW)))
    try:
        for call, error, arguments in _rules():
            _refuse(made, call, error, arguments)
        with tempfile.TemporaryFile() as file:
            _require(library().seccomp_export_bpf(made, file.fileno()))
            file.seek(0)
            return file.read()
    finally:
        library().seccomp_release(made)


def _rules() -> Iterable[tuple[str, int, tuple[_Argument, ...]]]:
    yield from ((call, errno.EPERM, ()) for calls in REFUSED.values() for call in calls.split())
    user_space = _Argument(0, MASKED, NEW_USER_SPACE, NEW_USER_SPACE)
    yield "clone", errno.EPERM, (user_space,)
    # Its flags lie in memory, where no filter sees them; without it, programs use the older one.
    yield "clone3", errno.ENOSYS, ()
    yield from ((call, DONE, ()) for call in PRETENDED)
    for asked, of_a_file in ((DONE, PRETENDED_OF_A_FILE), (errno.EPERM, REFUSED_OF_A_FILE)):
        yield from (("fcntl", asked, (_Argument(1, EQUAL, n),)) for n in of_a_file.values())
    yield from _sockets()


def _sockets() -> Iterable[tuple[str, int, tuple[_Argument, ...]]]:
    for family in set(range(LAST_FAMILY + 1)) - {LOCAL, *INTERNET}:
        yield "socket", errno.EAFNOSUPPORT, (_Argument(0, EQUAL, family),)
    yield "socket", errno.EAFNOSUPPORT, (_Argument(0, GREATER, LAST_FAMILY),)
    for family in INTERNET:
        own = _Argument(0, EQUAL, family)
        for kind in set(range(KINDS + 1)) - {STREAM}:
            yield "socket", errno.EPROTONOSUPPORT, (own, _Argument(1, MASKED, KINDS, kind))
        yield "socket", errno.EPROTONOSUPPORT, (own, _Argument(2, GREATER, TCP))


def _refuse(made: ctypes.c_void_p, call: str, error: int, arguments: tuple[_Argument, ...]) -> None:
    found = number(call)
    if found < 0:
        # Not a call of this machine, or younger than the library.
        return
    given = (_Argument * len(arguments))(*arguments)
    rule: Callable[..., int] = library().seccomp_rule_add_array
    _require(rule(made, ctypes.c_uint32(REFUSE | error), found, len(arguments), given))


def _require(result: int) -> None:
    if result < 0:
        raise OSError(-result, "libseccomp refused a rule")
