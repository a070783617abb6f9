"""The digests of a release's files, `SHA256SUMS`, and their signature with minisign, which must be installed.

    MINISIGN_SECRET_KEY=... python3 release/sign.py DIST

The variable contains the text of a key file without a password (`minisign -G -W`). The same key and file give the same
signature.
"""

import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

VARIABLE = "MINISIGN_SECRET_KEY"
SIGN_SECONDS = 60


def write_digests(dist):
    """Writes the digest of each file in `dist` to `SHA256SUMS`, and returns its text."""
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(dist.iterdir())}
    text = "".join(f"{digest}  {name}\n" for name, digest in digests.items())
    (dist / "SHA256SUMS").write_text(text)
    return text


def sign(dist, key):
    """Writes `SHA256SUMS.minisig` in `dist`, signed with the secret key in the text `key`."""
    sums = dist / "SHA256SUMS"
    with tempfile.TemporaryDirectory(prefix="dayledger-key-") as folder:
        file = pathlib.Path(folder) / "key"
        file.touch(mode=0o600)
        file.write_text(key.strip() + "\n")
        # A fixed comment, because the default comment contains the time.
        command = ["minisign", "-S", "-s", file, "-m", sums, "-c", "signature of dayledger", "-t", "SHA256SUMS of dayledger"]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, timeout=SIGN_SECONDS, stdout=subprocess.DEVNULL)
    return dist / "SHA256SUMS.minisig"


def main(dist):
    key = os.environ.get(VARIABLE)
    if not key:
        sys.exit(f"sign: the files can't be signed: {VARIABLE} is not set")
    print(sign(pathlib.Path(dist), key))


if __name__ == "__main__":
    main(*sys.argv[1:])
