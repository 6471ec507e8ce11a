"""The examples of the documents are run."""

import doctest
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
DOCUMENTS = ["docs/python.md", "crates/python/README.md"]


def load_tests(loader, tests, pattern):
    for document in DOCUMENTS:
        path = str(ROOT / document)
        tests.addTest(doctest.DocFileSuite(path, module_relative=False, optionflags=doctest.REPORT_NDIFF, encoding="utf-8"))
    return tests


if __name__ == "__main__":
    unittest.main()
