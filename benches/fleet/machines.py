"""Simulates machines. Each worker runs in its own network namespace, with a share of a core."""

import contextlib
import pathlib
import select
import subprocess

from failure import Failure, child, kill

BRIDGE = "dayledger"
NETWORK = "10.213.0"
PORT = 7171
START_SECONDS = 60
PERIOD = 100_000
GROUPS = [pathlib.Path("/sys/fs/cgroup/cpu"), pathlib.Path("/sys/fs/cgroup")]


def clear():
    """Removes the namespaces and links of a run that was killed."""
    for namespace in child(["ip", "netns", "list"], "`ip netns list`", START_SECONDS).split():
        if namespace.startswith(f"{BRIDGE}-"):
            ip("netns", "del", namespace)
    if (pathlib.Path("/sys/class/net") / BRIDGE).exists():
        ip("link", "del", BRIDGE)


@contextlib.contextmanager
def network():
    """Creates a switch that connects all simulated machines and this machine."""
    ip("link", "add", BRIDGE, "type", "bridge")
    try:
        ip("addr", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
        ip("link", "set", BRIDGE, "up")
        yield
    finally:
        ip("link", "del", BRIDGE)


@contextlib.contextmanager
def machine(number):
    """Creates a machine at the switch. Yields the machine's name and address."""
    name, address = f"{BRIDGE}-{number}", f"{NETWORK}.{10 + number}"
    ip("netns", "add", name)
    try:
        ip("link", "add", f"dl{number}", "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("link", "set", f"dl{number}", "master", BRIDGE, "up")
        ip("-n", name, "addr", "add", f"{address}/24", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")
        ip("-n", name, "link", "set", "lo", "up")
        yield name, address
    finally:
        # The link is removed first. Deleting only the namespace would remove the link later, when the next machine may
        # already need its name.
        ip("link", "del", f"dl{number}")
        ip("netns", "del", name)


@contextlib.contextmanager
def share(name, cores):
    """Creates a group of processes that share a part of a core. Yields the file for their process ids."""
    root = next((root for root in GROUPS if (root / "cgroup.procs").exists()), None)
    if root is None:
        raise Failure("this system has no groups of processes to share cores among")
    group = root / name
    group.mkdir(exist_ok=True)
    try:
        try:
            if (group / "cpu.max").exists():
                (group / "cpu.max").write_text(f"{int(cores * PERIOD)} {PERIOD}")
            else:
                (group / "cpu.cfs_period_us").write_text(str(PERIOD))
                (group / "cpu.cfs_quota_us").write_text(str(int(cores * PERIOD)))
        except OSError as error:
            raise Failure(f"`{group}` cannot be given a share of a core: {error}") from None
        yield group / "cgroup.procs"
    finally:
        group.rmdir()


@contextlib.contextmanager
def worker(number, program, team, certificates, cores, environment):
    """Starts a worker on its own machine. Yields the worker's address and process."""
    with machine(number) as (name, address), share(name, cores) as group:
        command = [program, "worker", "--from", team, "--listen", f"{address}:{PORT}", *certificates]
        inside = ["sh", "-c", 'echo $$ > "$0" && exec "$@"', group, "ip", "netns", "exec", name, *command]
        process = subprocess.Popen(
            [str(part) for part in inside], stdout=subprocess.PIPE, env=environment, encoding="utf-8", start_new_session=True
        )
        try:
            readable, _, _ = select.select([process.stdout], [], [], START_SECONDS)
            if not readable or not process.stdout.readline().startswith("listening"):
                raise Failure(f"the worker on {name} does not listen")
            yield f"https://{address}:{PORT}", process
        finally:
            kill(process)
            process.wait()


def most_memory(process):
    """Returns the peak memory of a process, in bytes."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="ascii", errors="replace")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


def ip(*command):
    child(["ip", *command], f"`ip {' '.join(command)}`", START_SECONDS)
