"""Writes a profile from what the option `report` has written: make-profile.py FOLDER FUNCTION:RECORD=WORDS..."""

import json
import pathlib
import sys

print("poly profile 1")
for argument in sys.argv[2:]:
    nest, words = argument.split("=", 1)
    function, number = nest.split(":")
    report = json.loads(pathlib.Path(sys.argv[1], function + ".json").read_text())
    print("nest %s of %s: %s" % (report["records"][int(number)]["model"]["fingerprint"], function, words))
