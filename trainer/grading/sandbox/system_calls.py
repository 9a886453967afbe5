"""What a submission may not ask of the kernel: a filter of system calls, made by libseccomp.

Name spaces take files, processes and the network away. What is refused here is what they leave:
keyrings that outlive a process, memory that belongs to no file and no process, other processes'
memory, new name spaces, kinds of sockets that reach past the network, and doors to the kernel
that no answer needs.
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
    "other processes": "kcmp pidfd_getfd process_madvise process_mrelease process_vm_readv "
    "process_vm_writev ptrace migrate_pages move_pages",
    "name spaces and mounts": "chroot fsconfig fsmount fsopen fspick mount mount_setattr "
    "move_mount name_to_handle_at open_by_handle_at open_tree pivot_root setns umount2 unshare",
    "the kernel itself": "acct adjtimex bpf clock_adjtime clock_settime delete_module "
    "fanotify_init finit_module init_module io_uring_enter io_uring_register io_uring_setup "
    "kexec_file_load kexec_load lookup_dcookie nfsservctl perf_event_open personality quotactl "
    "quotactl_fd reboot settimeofday swapoff swapon syslog",
}
# Local, of the internet, and what asks the kernel for its network; no machine around this one.
SOCKETS = {1, 2, 10, 16}
LAST_FAMILY = 16
NEW_USER_SPACE = 0x10000000

ALLOW, REFUSE = 0x7FFF0000, 0x00050000
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
    for family in set(range(LAST_FAMILY)) - SOCKETS:
        yield "socket", errno.EAFNOSUPPORT, (_Argument(0, EQUAL, family),)
    yield "socket", errno.EAFNOSUPPORT, (_Argument(0, GREATER, LAST_FAMILY),)


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
