"""The facts about the project that its packages state, from `Cargo.toml`."""

import dataclasses
import pathlib
import re
import tomllib
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
AUTHORS = "The dayledger authors"
# A name that can't belong to anyone (RFC 2606).
PLACEHOLDER = ".example"
GITHUB = re.compile(r"https://github\.com/([^/]+)/([^/]+)")


@dataclasses.dataclass(frozen=True)
class Project:
    """`repository` is the address of the source code, or a placeholder."""

    name: str
    version: str
    description: str
    license: str
    keywords: tuple
    repository: str

    @property
    def has_address(self):
        return not urllib.parse.urlsplit(self.repository).hostname.endswith(PLACEHOLDER)

    @property
    def owner(self):
        """The owner of the repository at GitHub, or nothing for another address."""
        found = GITHUB.fullmatch(self.repository)
        return found and found.group(1)

    def page(self, path):
        """The address of a file of this version."""
        return f"{self.repository}/blob/v{self.version}/{path}"

    @property
    def support(self):
        """The address where users report problems."""
        return f"{self.repository}/issues"

    @property
    def privacy_policy(self):
        return f"{self.page('README.md')}#privacy-policy"

    def download(self, file):
        """The address of a file of the release."""
        return f"{self.repository}/releases/download/v{self.version}/{file}"

    def archive(self, target):
        """The name of a target's archive without its suffix, which is also the name of the folder in it."""
        return f"{self.name}-{self.version}-{target.triple}"


def read(path=ROOT / "Cargo.toml"):
    manifest = tomllib.loads(path.read_text())
    package, shared = manifest["package"], manifest["workspace"]["package"]
    return Project(
        name=package["name"],
        version=shared["version"],
        description=package["description"],
        license=shared["license"],
        keywords=tuple(package["keywords"]),
        repository=package["repository"],
    )
