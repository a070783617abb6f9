"""A server that speaks S3 and stores all objects in memory. It uses a free port of the loopback interface, and prints
the port.

After a request for `/-/refuse/N`, the next N requests get status 503. The response to `/-/transfers` contains how often
a table or a manifest was written or read.
"""

import threading

from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

BUSY = b'<?xml version="1.0"?>\n<Error>\n<Code>SlowDown</Code>\n</Error>'


class Refusing:
    """Wraps an application, and rejects requests when the test wants it."""

    def __init__(self, application):
        self.application = application
        self.lock = threading.Lock()
        self.left = self.transfers = 0

    def __call__(self, environment, start):
        path = environment["PATH_INFO"]
        with self.lock:
            if path == "/-/transfers":
                start("200 OK", [])
                return [str(self.transfers).encode()]
            if path.startswith("/-/refuse/"):
                self.left = int(path.rsplit("/", 1)[1])
                start("200 OK", [])
                return []
            self.transfers += path.endswith((".parquet", "/manifest.json"))
            refused = self.left > 0
            self.left -= refused
        if refused:
            # The body of the request must be read, because otherwise the connection breaks.
            environment["wsgi.input"].read(int(environment.get("CONTENT_LENGTH") or 0))
            start("503 Slow Down", [("Content-Type", "application/xml")])
            return [BUSY]
        return self.application(environment, start)


def main():
    application = Refusing(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, application, threaded=True)
    print(server.port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
