"""expect: crashed

Reads what only the instructor may: keys, passwords, other students' answers.
"""

import os
from pathlib import Path

SECRETS = ("/etc/shadow", "/root/.ssh", "/home", "/root/.bashrc", "/var/lib", "/sys/fs/cgroup")


def cleanse(rides):
    """Give a DataFrame only if there is a secret to be had."""
    found = [name for name in os.environ if "TOKEN" in name or "SECRET" in name or "KEY" in name]
    found += [secret for secret in SECRETS if Path(secret).exists()]
    found += [str(other) for other in Path("/submission").parent.glob("submission-*")]
    if not found:
        raise LookupError("no secrets here")
    return rides
