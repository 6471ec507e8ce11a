"""The types for checkers say what there is."""

import ast
import inspect
import pathlib
import unittest

import poly

#: What every class of Python has.
OF_OBJECTS = set(dir(object)) - {"__eq__", "__ne__", "__le__", "__lt__", "__ge__", "__gt__"}
#: What needs no types: not called by people, or there because of something that has.
OTHERS = {"__module__", "__doc__", "__weakref__", "__bool__", "__int__"}


def stubs():
    """The classes and functions that the file declares, with the names of their members and arguments."""
    text = (pathlib.Path(poly.__file__).parent / "_core.pyi").read_text(encoding="utf-8")
    classes, functions = {}, set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef):
            members = {}
            for item in node.body:
                if isinstance(item, ast.FunctionDef):
                    members[item.name] = item
                elif isinstance(item, ast.AnnAssign):
                    members[item.target.id] = None
            classes[node.name] = members
        elif isinstance(node, ast.FunctionDef):
            functions.add(node.name)
    return classes, functions


def arguments(function):
    """Names of arguments, in order, without `self`."""
    of = function.args
    names = [argument.arg for argument in of.posonlyargs + of.args + of.kwonlyargs]
    return [name for name in names if name != "self"]


class Types(unittest.TestCase):
    def test_all_classes_and_functions_are_there(self):
        classes, functions = stubs()
        there = {name for name in dir(poly._core) if not name.startswith("_")}
        self.assertEqual(there, set(classes) | functions)
        self.assertLessEqual(there, set(poly.__all__))
        self.assertTrue(all(hasattr(poly, name) for name in poly.__all__))

    def test_members_are_there(self):
        for name, members in stubs()[0].items():
            cls = getattr(poly, name)
            own = {member for member in vars(cls) if member not in OF_OBJECTS | OTHERS}
            # Comparisons that are not defined are there, too.
            own = {m for m in own if m in members or m not in {"__eq__", "__ne__", "__le__", "__lt__", "__ge__", "__gt__"}}
            # The other side of an operator.
            own = {m for m in own if m in members or not m.startswith("__r")}
            with self.subTest(name):
                self.assertEqual(own, set(members) - {"__init__"})

    def test_arguments_have_the_same_names(self):
        for name, members in stubs()[0].items():
            for member, declared in members.items():
                if declared is None or member.startswith("__") or isinstance(vars(getattr(poly, name))[member], property):
                    continue
                attribute = getattr(getattr(poly, name), member)
                if not callable(attribute):
                    continue
                real = [p for p in inspect.signature(attribute).parameters.values() if p.name != "self"]
                real = [p.name for p in real if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
                with self.subTest(f"{name}.{member}"):
                    self.assertEqual(real, arguments(declared))

    def test_everything_is_documented(self):
        for name, members in stubs()[0].items():
            for member in members:
                if not member.startswith("__") and name != "dim_type":
                    self.assertTrue(getattr(getattr(poly, name), member).__doc__, f"{name}.{member}")


if __name__ == "__main__":
    unittest.main()
