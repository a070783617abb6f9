"""The environment of the programs under test."""

import os

OWN_CONFIGURATION = ("XDG_", "DAYLEDGER_", "MANICTIME_", "MCP_")


def environment(home):
    """The environment of clients and servers, without the user's configuration."""
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OWN_CONFIGURATION)}
    # A proxy of the machine is for the registries; the servers here are on the loopback.
    proxies = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost")
    return {**kept, **proxies, **dict.fromkeys(("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"), str(home))}
