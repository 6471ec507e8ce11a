"""Checks that the example of docs/explain.md is what `poly explain` prints.

Each block of C is a source named example.c, the block of text behind it all that is printed.

    page.py PAGE WORK COMMAND...   (COMMAND is executed in the folder WORK; FILE in it is the source)
"""

import os
import re
import subprocess
import sys

page, work, command = sys.argv[1], sys.argv[2], sys.argv[3:]
os.makedirs(work, exist_ok=True)
with open(page, encoding="utf-8") as file:
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
source, checked = None, 0
for language, content in blocks:
    if language == "c":
        source = content
        with open(os.path.join(work, "example.c"), "w", encoding="utf-8") as file:
            file.write(source)
    elif language == "text" and source is not None:
        words = ["example.c" if word == "FILE" else word for word in command]
        done = subprocess.run(words, cwd=work, capture_output=True, text=True)
        if done.returncode != 0 or done.stdout.strip() != content.strip():
            sys.exit("the page differs from:\n" + done.stdout + done.stderr)
        checked += 1
if checked == 0:
    sys.exit("%s shows nothing that could be checked" % page)
