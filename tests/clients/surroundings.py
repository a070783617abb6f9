"""The environment of the programs under test."""

import os

OWN_CONFIGURATION = ("XDG_", "DAYLEDGER_", "MANICTIME_", "MCP_")


def environment(home):
    """Returns the environment for clients and servers, without the user's configuration."""
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OWN_CONFIGURATION)}
    # If this machine uses a proxy, it is only for package registries. The servers of the tests are on the loopback
    # interface.
    proxies = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost")
    return {**kept, **proxies, **dict.fromkeys(("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"), str(home))}
