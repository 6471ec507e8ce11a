"""Talks to `poly view` as a browser does, and as one must not: check-view.py FOLDER COMMAND..."""

import os
import pathlib
import re
import signal
import socket
import subprocess
import sys

folder, command = sys.argv[1], sys.argv[2:]
environment = dict(os.environ, TMPDIR=folder)
server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
line = server.stdout.readline()
url = re.match(r"http://127\.0\.0\.1:(\d+)/ shows ", line)
assert url, line
port = int(url.group(1))
own = "127.0.0.1:%d" % port


def ask(method, path, body=b"", **headers):
    """Status, headers and text of an answer."""
    fields = {"Host": own, "Content-Length": str(len(body)), **{k.replace("_", "-"): v for k, v in headers.items()}}
    head = "%s %s HTTP/1.1\r\n%s\r\n" % (method, path, "".join("%s: %s\r\n" % field for field in fields.items()))
    with socket.create_connection(("127.0.0.1", port)) as connection:
        try:
            connection.sendall(head.encode() + body)
        except (BrokenPipeError, ConnectionResetError):
            pass
        answer = b""
        while True:
            try:
                part = connection.recv(1 << 16)
            except ConnectionResetError:
                break
            if not part:
                break
            answer += part
    head, _, text = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), head.decode(), text.decode()


def expect(status, answer, *texts):
    assert answer[0] == status, (status, answer)
    for text in texts:
        assert text in answer[1] + answer[2], (text, answer)


source = """#include "check-view.h"
void twice(int n, double A[n][n], const double B[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[j][i] = FACTOR * B[j][i];
}
"""
try:
    expect(200, ask("GET", "/"), "<textarea", "default-src 'none'", "Content-Type: text/html")
    expect(200, ask("GET", "/", Host="localhost:%d" % port), "<textarea")
    origin = {"Origin": "http://" + own}
    page = ask("POST", "/explain", source.encode(), **origin)
    expect(200, page, "<!DOCTYPE html>", "twice, lines 3–5", "<h3>view.c</h3>")
    wrong = ask("POST", "/explain", source.replace("B[j]", "C[j]").encode(), **origin)
    expect(422, wrong, "view.c:5:", "use of undeclared identifier 'C'")
    assert folder not in wrong[2], wrong
    expect(422, ask("POST", "/explain", b"int x", **origin), "expected ';'")
    # Pages and names from elsewhere.
    expect(403, ask("GET", "/", Host="example.org"), "another host")
    expect(403, ask("POST", "/explain", source.encode(), Host="example.org:%d" % port))
    expect(403, ask("POST", "/explain", source.encode(), Origin="http://example.org"), "another page")
    # What is no request of the page.
    expect(404, ask("GET", "/../view.c"))
    expect(405, ask("POST", "/"))
    expect(400, ask("POST", "/explain", b"\xff\xfe", **origin), "UTF-8")
    expect(413, ask("POST", "/explain", b"", Content_Length=str((1 << 20) + 1)), "longer than")
    expect(431, ask("GET", "/", Long="x" * 40000))
    # Nobody outside of this machine is listened to.
    listening = subprocess.run(["ss", "-Hltn"], capture_output=True, text=True).stdout if os.path.exists("/usr/bin/ss") else ""
    assert all(("127.0.0.1:%d" % port) in line for line in listening.splitlines() if ":%d " % port in line), listening
    server.send_signal(signal.SIGINT)
    status = server.wait(timeout=60)
    assert status == 0, status
    left = [path.name for path in pathlib.Path(folder).iterdir()]
    assert left == [], left
finally:
    server.kill()
print("everything was answered as it should be")
