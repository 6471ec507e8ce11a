"""No call ends in an internal error: whatever does not fit is an exception of its own.

Every method of every class is called with arguments of the types that it declares, from values in many different spaces.
"""

import ast
import itertools
import random
import unittest
from fractions import Fraction

import poly
from test_types import arguments, stubs

SETS = [
    "{ : }",
    "[n] -> { : n > 3 }",
    "{ [] }",
    "{ [i] : 0 <= i < 5 }",
    "[n] -> { [i] : i >= n }",
    "[m, n] -> { A[i] : m <= i <= n }",
    "{ A[i] : false }",
    "[n] -> { A[i, j] : 0 <= i < n and 0 <= j <= i; A[i, j] : i = 7j and i >= 100 }",
    "{ [A[i] -> B[j, k]] : i = j + k and 0 <= j, k < 3 }",
    "{ [i, i] : exists (e : 3e <= i < 4e) and i < 9 }",
]
MAPS = [
    "{ [i] -> [i + 1] : 0 <= i < 5 }",
    "{ [] -> [i] : i >= 0 }",
    "[n] -> { A[i] -> A[j] : i < j < n }",
    "{ A[i] -> B[i, j] : 0 <= j < 3 }",
    "{ [A[i] -> B[j, k]] -> [C[i] -> D[]] : j > 3 and i = 2 }",
    "[m] -> { [i, j] -> [j, i] : i + j = m; [i, j] -> [i, i] }",
    "{ A[i] -> [B[j] -> C[]] : i = 2j }",
    "{ [i] -> [j] : false }",
]
NAMES = ["n", "m", "i", "", "A", "a b", "x'", "default", "unroll", "pluto", "max", "exists", "{ [i]"]
TREE = """
domain: "[n] -> { S[i, j] : 0 <= i, j < n; T[i] : 0 <= i < n }"
child:
  context: "[n] -> { [] : n > 0 }"
  child:
    sequence:
    - filter: "{ S[i, j] }"
      child:
        mark: "here"
        child:
          schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
          permutable: 1
    - filter: "{ T[i] }"
"""


def nodes(node):
    yield node
    for i in range(node.n_children()):
        yield from nodes(node.child(i))


def parts(node):
    """A program's nodes."""
    yield node
    below = {
        "block": lambda: node.block_get_children(),
        "for": lambda: [node.for_get_body()],
        "if": lambda: [node.if_get_then()],
        "mark": lambda: [node.mark_get_node()],
    }
    for child in below.get(node.get_type(), lambda: [])():
        yield from parts(child)


def values():
    """Values of each type that is declared."""
    sets, maps = [poly.Set(text) for text in SETS], [poly.Map(text) for text in MAPS]
    basic_sets = [basic for one in sets for basic in one.get_basic_sets()]
    basic_maps = [basic for one in maps for basic in one.get_basic_maps()]
    union_sets = [poly.UnionSet("{ }"), poly.UnionSet("[n] -> { A[i] : i < n; B[i, j] : j >= i; [i] }")] + list(map(poly.UnionSet, sets[2:8]))
    union_maps = [poly.UnionMap("{ }"), poly.UnionMap("[n] -> { A[i] -> A[j] : i < n; A[i] -> B[]; [i, j] -> [i + 1, j] }")] + list(map(poly.UnionMap, maps))
    points = [point for point in (one.sample_point() for one in sets) if point is not None]
    counts = [poly.PwQPolynomial(text) for text in ("{ 3 : }", "[n] -> { n^2 : n > 1 }", "{ [i] -> 1/2 * i : 0 <= i < 9 }", "[n] -> { A[i, j] -> i * j : }")]
    schedule = poly.Schedule(TREE)
    programs = [poly.AstBuild().node_from_schedule(schedule)]
    programs.append(poly.AstBuild().node_from_schedule_map(poly.UnionMap("[n] -> { S[i] -> [i] : 0 <= i < 9 and n > 2 and i mod 2 = 0 }")))
    pw_affs = [poly.Set(SETS[3]).dim_max(0), poly.PwAff("[n] -> { A[i] -> [(floor(i/2) + n)] : i >= 0 }")]
    accesses = [poly.UnionAccessInfo.from_sink(one) for one in union_maps]
    accesses[1] = poly.UnionAccessInfo.from_sink(poly.UnionMap("[n] -> { S[i, j] -> A[i] }")).set_must_source(poly.UnionMap("{ T[i] -> A[i] }")).set_schedule_map(poly.UnionMap("{ T[i] -> [0, i]; S[i, j] -> [1, i] }"))
    pools = {
        "Set": sets + basic_sets,
        "BasicSet": basic_sets,
        "Map": maps + basic_maps,
        "BasicMap": basic_maps,
        "UnionSet": union_sets,
        "UnionMap": union_maps,
        "Space": [value.space for value in sets + maps],
        "Point": points,
        "Constraint": [c for basic in basic_sets + basic_maps for c in basic.get_constraints()],
        "PwAff": pw_affs,
        "PwMultiAff": [poly.Set(SETS[3]).lexmin_pw_multi_aff(), poly.PwMultiAff("{ S[i] -> [(i), (i + 1)] : i >= 0 }")],
        "MultiUnionPwAff": [poly.MultiUnionPwAff(text) for text in ("[{ S[i, j] -> [(i)]; T[i] -> [(i + 1)] }]", "[{ A[i] -> [(i)] }, { A[i] -> [(0)] }]")],
        "PwQPolynomial": counts,
        "PwQPolynomialFold": [poly.PwQPolynomial("{ [i] -> i : 0 <= i < 9 }").upper_bound()[0]],
        "Schedule": [schedule, poly.Schedule.from_domain(union_sets[1]), poly.Schedule.from_domain(union_sets[0])],
        "ScheduleNode": list(nodes(schedule.get_root())),
        "ScheduleConstraints": [poly.ScheduleConstraints.on_domain(one) for one in union_sets],
        "UnionAccessInfo": accesses,
        "UnionFlow": [accesses[1].compute_flow()],
        "AstBuild": [poly.AstBuild(), poly.AstBuild(poly.Set("[n] -> { : n > 3 }"))],
        "AstNode": [part for program in programs for part in parts(program)],
        "dim_type": [poly.dim_type.param, poly.dim_type.in_, poly.dim_type.out, poly.dim_type.div],
        "int": [0, 1, 2, 3, -1, 64, 10**30],
        "bool": [False, True],
        "str": NAMES + SETS[:3] + MAPS[:2],
        "None": [None],
        "object": [None, 5, sets[3], maps[0], union_sets[1], counts[0]],
        "Fraction": [Fraction(1, 3)],
    }
    return pools


def choices(annotation, pools):
    """What there is of a declared type."""
    if isinstance(annotation, ast.BinOp):
        return choices(annotation.left, pools) + choices(annotation.right, pools)
    if isinstance(annotation, ast.Subscript) and annotation.value.id == "list":
        inner = choices(annotation.slice, pools)
        return [[], inner[:1], inner[:2], inner[1:4]]
    if isinstance(annotation, ast.Subscript):
        return [lambda value: None]
    name = "None" if isinstance(annotation, ast.Constant) else annotation.id
    return pools.get(name, [])


class Contracts(unittest.TestCase):
    #: Calls of a method, at most.
    CALLS = 150

    def test_no_call_ends_in_an_internal_error(self):
        pools, rng = values(), random.Random(20000)
        calls, fine = 0, 0
        for name, members in stubs()[0].items():
            for member, declared in members.items():
                if declared is None:
                    continue
                for receiver, args in self.some_calls(name, declared, pools, rng):
                    calls += 1
                    with self.subTest(f"{name}.{member}", receiver=str(receiver), args=[str(a) for a in args]):
                        fine += self.call(name, member, declared, receiver, args)
        self.assertGreater(calls, 10_000)
        self.assertGreater(fine, calls // 3, f"of {calls}")

    def some_calls(self, name, declared, pools, rng):
        is_static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in declared.decorator_list)
        receivers = [None] if is_static or declared.name == "__init__" else pools[name]
        of = {a.arg: a.annotation for a in declared.args.args + declared.args.kwonlyargs if a.arg != "self"}
        lists = [receivers] + [choices(of[argument], pools) for argument in arguments(declared)]
        self.assertTrue(all(lists), f"{name}.{declared.name}: there are no values for an argument")
        size = 1
        for one in lists:
            size *= len(one)
        everything = itertools.product(*lists)
        if size > self.CALLS:
            everything = (tuple(rng.choice(one) for one in lists) for _ in range(self.CALLS))
        for receiver, *args in everything:
            yield receiver, args

    def call(self, name, member, declared, receiver, args):
        """Whether there was a result."""
        cls = getattr(poly, name)
        positional = sum(a.arg != "self" for a in declared.args.args)
        keywords = {a.arg: value for a, value in zip(declared.args.kwonlyargs, args[positional:])}
        try:
            with poly.max_operations(200_000):
                if member == "__init__":
                    result = cls(*args[:positional], **keywords)
                elif not callable(getattr(cls, member)):
                    result = getattr(receiver, member)
                elif declared.args.vararg or declared.args.kwarg:
                    result = getattr(receiver, member)(*[1] * (declared.args.vararg is not None), n=3)
                else:
                    result = getattr(cls if receiver is None else receiver, member)(*args[:positional], **keywords)
            repr(result)
        except poly.InternalError as error:
            self.fail(str(error))
        except (poly.Error, ValueError, TypeError, IndexError, OverflowError):
            return False
        return True


if __name__ == "__main__":
    unittest.main()
