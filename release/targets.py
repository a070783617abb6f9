"""The systems for which a release contains a program.

A new system is a new row here. If a package manager supports the system, its template in `manifests` also needs a line.
"""

import dataclasses

# RHEL 8, Debian 10, Ubuntu 18.10 and later have it.
GLIBC = "2.28"


@dataclasses.dataclass(frozen=True)
class Target:
    """`triple` is Rust's name of the target. `system` is `glibc`, `musl` or `windows`.

    `debian` is Debian's name of the processor if the release has packages for Debian and RPM.
    """

    triple: str
    processor: str
    system: str
    debian: str = ""

    @property
    def program(self):
        return "dayledger.exe" if self.system == "windows" else "dayledger"

    @property
    def suffix(self):
        """The suffix of the archive."""
        return ".zip" if self.system == "windows" else ".tar.gz"


LINUX = Target("x86_64-unknown-linux-gnu", "x86_64", "glibc", "amd64")
WINDOWS = Target("x86_64-pc-windows-gnu", "x86_64", "windows")
ALL = (
    LINUX,
    Target("aarch64-unknown-linux-gnu", "aarch64", "glibc", "arm64"),
    Target("x86_64-unknown-linux-musl", "x86_64", "musl"),
    Target("aarch64-unknown-linux-musl", "aarch64", "musl"),
    WINDOWS,
)
# The bundle for clients can contain one program for each operating system.
BUNDLED = (LINUX, WINDOWS)
