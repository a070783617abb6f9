"""Folders in which the programs of a release run, without the libraries and settings of this machine."""

import pathlib
import platform
import shutil

import debian
from failure import child
from wine import Wine, drive_path

MAKE_SECONDS, COMMAND_SECONDS = 300, 900
ENVIRONMENT = {"HOME": "/tmp", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TZ": "UTC"}
# Debian 12.
SUITE = "bookworm"
# The C library's installation script runs on this machine, and needs these files in the folder.
SETTINGS = 'install -D /etc/debconf.conf "$1/etc/debconf.conf" && mkdir -p "$1/var/cache/debconf"'
# Starts a program in a root directory, with the system's processes and devices. The second argument registers an
# emulator for programs of another processor, so that a program can also start itself. Nothing outside of the program's
# namespaces changes.
ENTER = """
set -e
for name in dev proc; do mount --rbind "/$name" "$1/$name"; done
if [ -n "$2" ]; then
    mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    cat "$2" > /proc/sys/fs/binfmt_misc/register
fi
root=$1
shift 2
exec chroot "$root" "$@"
"""


def make(target, into):
    """The place for a target's programs, in a new folder. The place is a context manager."""
    folder = into / "places" / target.triple
    shutil.rmtree(folder, ignore_errors=True)
    return Windows(folder, into) if target.system == "windows" else Linux(target, folder)


class Linux:
    """A root directory with Debian's C library. It is empty if the target's programs contain their C library.

    Programs for other processors run in the emulator QEMU, which needs Linux 6.7 or later on this machine.
    """

    def __init__(self, target, folder):
        self.folder, self.emulator = folder, ""
        folder.parent.mkdir(parents=True, exist_ok=True)
        if target.system == "glibc":
            debian.install({"mmdebstrap": "mmdebstrap"})
            make = ["mmdebstrap", "--quiet", "--mode=chrootless", "--variant=custom", f"--setup-hook={SETTINGS}"]
            make += [f"--architectures={target.debian}", "--include=libc6", SUITE, folder]
            child(make, f"making the folder `{folder}`", MAKE_SECONDS)
        for name in ("dev", "proc", "tmp"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        if target.processor != platform.machine():
            self.emulator = f"/usr/lib/binfmt.d/qemu-{target.processor}.conf"
            # Without libraries, so that it runs in the folder.
            debian.install({self.emulator: "qemu-user-static"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def path(self, path):
        """The path of a file below the folder, as the programs see it."""
        return pathlib.Path("/", path.relative_to(self.folder))

    def start(self, command):
        """The command and environment with which this machine runs a command of the folder."""
        enter = ["--user", "--map-root-user", "--mount", "sh", "-c", ENTER, "sh", self.folder, self.emulator]
        return {"command": "unshare", "args": [str(word) for word in [*enter, *command]], "env": ENVIRONMENT}

    def said(self, command, what):
        """The output of a program below the folder. Fails if the program fails."""
        program, *arguments = command
        start = self.start([self.path(program), *arguments])
        return child([start["command"], *start["args"]], what, COMMAND_SECONDS, environment=start["env"])


class Windows(Wine):
    """A folder whose programs run under Wine."""

    def __init__(self, folder, into):
        debian.install(debian.WINE)
        super().__init__(into)
        self.environment["TZ"] = ENVIRONMENT["TZ"]
        self.folder = folder
        folder.mkdir(parents=True)

    def path(self, path):
        """The path of a file, as the programs see it."""
        return drive_path(path)

    def start(self, command):
        """The command and environment with which this machine runs a command for Windows."""
        return {"command": "wine", "args": [str(word) for word in command], "env": self.environment}
