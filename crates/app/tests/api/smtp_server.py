"""A real SMTP server on loopback that keeps what it is sent: one JSON line a letter on standard output.

usage: smtp_server.py plain|login|starttls|refuse|busy [CERT KEY]
       smtp_server.py away FILE     takes nothing until the file is there
The first line says the port.
"""

import base64
import json
import os
import ssl
import sys
import time
from email import message_from_bytes, policy

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

USER, PASSWORD = b"larder@example.com", b"p@ss:word"


class Keeper:
    def __init__(self, mode):
        self.mode = mode

    async def handle_DATA(self, server, session, envelope):
        if self.mode == "refuse":
            return "554 5.7.1 We do not take this"
        if self.mode == "busy" or (self.mode == "away" and not os.path.exists(sys.argv[2])):
            return "451 4.3.0 Try again later"
        parsed = message_from_bytes(envelope.content, policy=policy.default)
        part = lambda kind: (parsed.get_body((kind,)) or parsed).get_content()
        letter = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "subject": parsed["subject"],
            "headers": {name.lower(): str(value) for name, value in parsed.items()},
            "text": part("plain"),
            "html": part("html"),
            "tls": session.ssl is not None,
            "login": bool(session.authenticated),
            "files": [
                {
                    "name": part.get_filename(),
                    "type": part.get_content_type(),
                    "inline": part.get_content_disposition() == "inline",
                    "id": part["Content-ID"],
                    "bytes": base64.b64encode(part.get_payload(decode=True)).decode(),
                }
                for part in parsed.walk()
                if part.get_content_disposition() in ("inline", "attachment")
            ],
        }
        print(json.dumps(letter), flush=True)
        return "250 2.0.0 Taken"


def check(server, session, envelope, mechanism, data):
    right = isinstance(data, LoginPassword) and (data.login, data.password) == (USER, PASSWORD)
    return AuthResult(success=right, handled=right)


def main():
    mode = sys.argv[1]
    options = {}
    if mode == "login":
        options |= dict(authenticator=check, auth_required=True, auth_require_tls=False)
    if mode == "starttls":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*sys.argv[2:4])
        options |= dict(tls_context=context, require_starttls=True)
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    Controller(Keeper(mode), hostname="127.0.0.1", port=port, **options).start()
    print(port, flush=True)
    while sys.stdin.read(1):  # Until the process that started it is gone.
        time.sleep(1)


main()
