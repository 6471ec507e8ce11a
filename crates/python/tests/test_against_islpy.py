"""The same questions to islpy: results are compared by their meaning.

Texts are made at random, always the same ones. islpy reads what Poly prints, and says whether both are equal.
"""

import random
import unittest

import islpy as isl

import poly


def condition(rng, names):
    """A comparison of an affine expression, or of a remainder of one."""
    terms = [f"{rng.choice([-3, -2, -1, 1, 2, 3])}{name}" for name in rng.sample(names, rng.randint(1, len(names)))]
    expression = " + ".join(terms)
    if rng.random() < 0.2:
        return f"({expression}) mod {rng.randint(2, 4)} = {rng.randint(0, 1)}"
    return f"{expression} {rng.choice(['<=', '>=', '='] if rng.random() < 0.3 else ['<=', '>='])} {rng.randint(-6, 6)}"


def disjunct(rng, names):
    box = [f"-{rng.randint(0, 6)} <= {name} <= {rng.randint(0, 7)}" for name in names if name != "n"]
    conditions = [condition(rng, names) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.2:
        conditions.append(f"exists (e : {condition(rng, names + ['e'])} and 0 <= e <= 5)")
    return " and ".join(box + conditions)


def set_text(rng, names=("i", "j")):
    header = "[n] -> " if rng.random() < 0.6 else ""
    variables = list(names) + (["n"] if header else [])
    tuple_ = f"[{', '.join(names)}]"
    pieces = [f"{tuple_} : {disjunct(rng, variables)}" for _ in range(rng.randint(1, 3))]
    return f"{header}{{ {'; '.join(pieces)} }}"


def map_text(rng):
    header = "[n] -> " if rng.random() < 0.5 else ""
    variables = ["i", "j", "a", "b"] + (["n"] if header else [])
    pieces = [f"[i, j] -> [a, b] : {disjunct(rng, variables)}" for _ in range(rng.randint(1, 2))]
    return f"{header}{{ {'; '.join(pieces)} }}"


class Comparison(unittest.TestCase):
    """Poly's result has to be that of isl, for each of many texts."""

    def same(self, theirs, ours, what):
        """Compares one result of Poly with isl's."""
        mine = type(theirs)(ours.to_str()) if hasattr(ours, "to_str") else ours
        equal = mine.is_equal(theirs) if hasattr(mine, "is_equal") else mine == theirs
        self.assertTrue(equal, f"{what}: {ours}, isl: {theirs}")

    def one_operand(self, make, cls, operations, cases, seed):
        rng = random.Random(seed)
        for _ in range(cases):
            text = make(rng)
            ours, theirs = getattr(poly, cls)(text), getattr(isl, cls)(text)
            for name in operations:
                with self.subTest(operation=name, text=text):
                    self.same(getattr(theirs, name)(), getattr(ours, name)(), f"{name} of {text}")

    def two_operands(self, first, second, operations, cases, seed):
        (make_a, class_a), (make_b, class_b) = first, second
        rng = random.Random(seed)
        for _ in range(cases):
            a, b = make_a(rng), make_b(rng)
            ours = getattr(poly, class_a)(a), getattr(poly, class_b)(b)
            theirs = getattr(isl, class_a)(a), getattr(isl, class_b)(b)
            for name in operations:
                with self.subTest(operation=name, a=a, b=b):
                    self.same(getattr(theirs[0], name)(theirs[1]), getattr(ours[0], name)(ours[1]), f"{name} of {a} and {b}")

    def test_sets(self):
        operations = [
            "coalesce", "complement", "lexmin", "lexmax", "params", "identity", "is_empty", "is_bounded",
            "make_disjoint", "remove_redundancies", "detect_equalities", "compute_divs", "affine_hull",
        ]  # fmt: skip
        self.one_operand(set_text, "Set", operations, 60, 1)

    def test_two_sets(self):
        operations = [
            "intersect", "union", "subtract", "is_subset", "is_strict_subset", "is_equal", "is_disjoint", "product", "flat_product",
            "lex_lt_set", "lex_le_set", "lex_gt_set", "lex_ge_set",
        ]  # fmt: skip
        self.two_operands((set_text, "Set"), (set_text, "Set"), operations, 40, 2)

    def test_gists(self):
        # A gist may be anything outside of its context.
        rng = random.Random(3)
        for _ in range(80):
            a, b = set_text(rng), set_text(rng)
            ours = isl.Set(poly.Set(a).gist(poly.Set(b)).to_str())
            self.assertTrue((ours & isl.Set(b)).is_equal(isl.Set(a) & isl.Set(b)), f"gist of {a} in {b}: {ours}")

    def test_maps(self):
        operations = [
            "reverse", "domain", "range", "params", "wrap", "deltas", "deltas_map", "domain_map", "range_map", "coalesce", "lexmin", "lexmax",
            "is_empty", "is_single_valued", "is_injective", "is_bijective", "complement", "affine_hull",
        ]  # fmt: skip
        self.one_operand(map_text, "Map", operations, 40, 4)

    def test_two_maps(self):
        operations = [
            "intersect", "union", "subtract", "is_subset", "is_equal", "is_disjoint", "apply_range", "apply_domain", "product",
            "range_product", "domain_product", "flat_range_product", "lex_lt_map", "lex_ge_map",
        ]  # fmt: skip
        self.two_operands((map_text, "Map"), (map_text, "Map"), operations, 25, 5)

    def test_sets_and_maps(self):
        self.two_operands((set_text, "Set"), (map_text, "Map"), ["apply"], 50, 6)
        operations = ["intersect_domain", "intersect_range", "subtract_domain", "subtract_range"]
        self.two_operands((map_text, "Map"), (set_text, "Set"), operations, 50, 7)

    def test_unions(self):
        def union_set(rng):
            return set_text(rng).replace("[i, j] :", "A[i, j] :", 1)

        def union_map(rng):
            return map_text(rng).replace("[a, b] :", "A[a, b] :", 1)

        operations = ["intersect", "union", "subtract", "is_subset", "is_equal", "is_disjoint", "lex_lt_union_set", "lex_ge_union_set"]
        self.two_operands((union_set, "UnionSet"), (union_set, "UnionSet"), operations, 40, 8)
        self.one_operand(union_set, "UnionSet", ["coalesce", "lexmin", "lexmax", "is_empty", "identity", "params"], 40, 9)
        self.one_operand(union_map, "UnionMap", ["reverse", "domain", "range", "wrap", "deltas", "lexmin", "is_single_valued"], 30, 10)
        self.two_operands((union_map, "UnionMap"), (union_map, "UnionMap"), ["apply_range", "union", "range_product"], 30, 11)

    def test_dimensions(self):
        rng = random.Random(12)
        for _ in range(60):
            text = set_text(rng)
            ours, theirs = poly.Set(text), isl.Set(text)
            pairs = [
                (ours.project_out(poly.dim_type.set, 0, 1), theirs.project_out(isl.dim_type.set, 0, 1)),
                (ours.fix_val(poly.dim_type.set, 1, 2), theirs.fix_val(isl.dim_type.set, 1, isl.Val(2))),
                (ours.lower_bound_val(poly.dim_type.set, 0, -1), theirs.lower_bound_val(isl.dim_type.set, 0, isl.Val(-1))),
                (ours.upper_bound_val(poly.dim_type.set, 1, 3), theirs.upper_bound_val(isl.dim_type.set, 1, isl.Val(3))),
                (ours.insert_dims(poly.dim_type.set, 1, 2), theirs.insert_dims(isl.dim_type.set, 1, 2)),
                (ours.equate(poly.dim_type.set, 0, poly.dim_type.set, 1), isl.Set(text) & isl.Set("{ [i, i] }")),
                (ours.dim_max(0), theirs.dim_max(0)),
                (ours.dim_min(1), theirs.dim_min(1)),
                (ours.lexmin_pw_multi_aff(), theirs.lexmin_pw_multi_aff()),
            ]
            for number, (mine, result) in enumerate(pairs):
                with self.subTest(number=number, text=text):
                    self.same(result, mine, f"operation {number} of {text}")

    def test_samples(self):
        rng = random.Random(13)
        for _ in range(60):
            text = set_text(rng)
            point = poly.Set(text).sample_point()
            self.assertEqual(point is None, isl.Set(text).is_empty())
            if point is not None:
                self.assertTrue(isl.Set(point.to_set().to_str()).is_subset(isl.Set(text)), text)

    def test_numbers_of_points(self):
        rng = random.Random(14)
        for _ in range(60):
            text = set_text(rng)
            count = poly.Set(text).card()
            with self.subTest(text=text):
                if not text.startswith("[n]"):
                    self.assertEqual(count(), isl.Set(text).count_val().to_python())
                    continue
                for n in range(-4, 8):
                    points = isl.Set(text) & isl.Set(f"[n] -> {{ [i, j] : n = {n} }}")
                    self.assertEqual(count(n=n), points.count_val().to_python(), f"n = {n}")
                # What is printed is read by isl, and means the same.
                theirs = isl.PwQPolynomial(count.to_str())
                at = isl.Point.zero(theirs.get_domain_space()).set_coordinate_val(isl.dim_type.param, 0, isl.Val(3))
                self.assertEqual(theirs.eval(at).to_python(), count(n=3))

    def test_sums(self):
        rng = random.Random(15)
        for _ in range(30):
            text = set_text(rng)
            weight = poly.PwQPolynomial(f"{text.split('{')[0]}{{ [i, j] -> i * i - 2 * j : }}")
            total = weight.intersect_domain(poly.Set(text)).sum()
            points = isl.Set(text) & isl.Set("[n] -> { [i, j] : n = 2 }")
            expected = 0

            def add(point):
                nonlocal expected
                i, j = (point.get_coordinate_val(isl.dim_type.set, k).to_python() for k in range(2))
                expected += i * i - 2 * j

            points.foreach_point(add)
            params = {"n": 2} if text.startswith("[n]") else {}
            self.assertEqual(total(**params), expected, text)

    def test_closures(self):
        texts = [
            "[n] -> { [i] -> [i + 2] : 0 <= i < n }",
            "{ [i, j] -> [i + 1, j - 1] : 0 <= i, j < 9; [i, j] -> [i, j + 3] : 0 <= i, j < 9 }",
            "{ [i] -> [2i] : 0 < i < 20 }",
            "[n] -> { [i] -> [j] : 0 <= i < n and i < j <= i + 2 }",
            "{ [0] -> [5]; [5] -> [3]; [3] -> [8] }",
        ]
        for text in texts:
            ours, exact = poly.Map(text).transitive_closure()
            theirs, their_exact = isl.Map(text).transitive_closure()
            ours = isl.Map(ours.to_str())
            # What is not exact contains what is.
            self.assertTrue(not exact or ours.is_subset(theirs), text)
            self.assertTrue(not their_exact or theirs.is_subset(ours), text)
            self.assertTrue(isl.Map(poly.Map(text).fixed_power_val(3).to_str()).is_equal(isl.Map(text).fixed_power_val(isl.Val(3))))


class Schedules(unittest.TestCase):
    """Orders are legal in isl's opinion, and programs run each instance once."""

    CASES = [
        ("[n] -> { S[t, i] : 0 <= t, i < n }", "{ S[t, i] -> S[t + 1, j] : i - 1 <= j <= i + 1 }"),
        ("[n] -> { S[i, j] : 0 <= i, j < n; T[i] : 0 <= i < n }", "{ S[i, j] -> S[i, j + 1]; S[i, j] -> T[i] }"),
        ("[n] -> { A[i] : 0 <= i < n; B[i] : 0 <= i < n }", "{ A[i] -> B[i]; B[i] -> A[i + 1] }"),
        ("{ S[i, j] : 0 <= j <= i < 7 }", "{ S[i, j] -> S[i + 1, j - 1]; S[i, j] -> S[i, j + 1] }"),
        ("[n] -> { A[i, j, k] : 0 <= i, j, k < n }", "{ A[i, j, k] -> A[i, j, k + 1] }"),
    ]

    def schedules(self):
        for domain, validity in self.CASES:
            constraints = poly.ScheduleConstraints.on_domain(poly.UnionSet(domain)).set_validity(poly.UnionMap(validity))
            constraints = constraints.set_proximity(poly.UnionMap(validity)).set_coincidence(poly.UnionMap(validity))
            for options in ({}, {"algorithm": "feautrier"}, {"fusion": "max"}, {"fusion": "none"}):
                yield domain, validity, constraints.compute_schedule(**options)

    def test_validity_is_kept(self):
        for domain, validity, schedule in self.schedules():
            with self.subTest(domain=domain):
                theirs = isl.Schedule(schedule.to_str())
                self.assertTrue(theirs.get_domain().is_equal(isl.UnionSet(domain)))
                # isl's relation is not restricted to the instances.
                order = theirs.get_map().intersect_domain(isl.UnionSet(domain))
                self.assertTrue(order.is_equal(isl.UnionMap(schedule.get_map().to_str())))
                pairs = isl.UnionMap(validity).intersect_domain(isl.UnionSet(domain)).intersect_range(isl.UnionSet(domain))
                not_before = order.lex_ge_union_map(order)
                self.assertTrue(pairs.intersect(not_before).is_empty(), str(schedule))

    def test_programs_run_the_instances_in_order(self):
        for domain, _, schedule in self.schedules():
            band = next((node for node in bands(schedule.get_root())), None)
            tiled = schedule
            if band is not None and band.band_get_permutable():
                tiled = band.band_tile([3] * band.band_n_member()).get_schedule()
            for tree in (schedule, tiled):
                with self.subTest(domain=domain, tree=str(tree)):
                    self.check_program(tree, isl.UnionSet(domain))

    def check_program(self, tree, domain):
        program = poly.AstBuild().node_from_schedule(tree)
        parametric = domain.dim(isl.dim_type.param) > 0
        for n in (0, 1, 4) if parametric else (0,):
            params = {"n": n} if parametric else {}
            instances = set()
            fixed = domain.intersect_params(isl.Set(f"[n] -> {{ : n = {n} }}")) if parametric else domain

            def add(point):
                space = point.get_space()
                values = [point.get_coordinate_val(isl.dim_type.set, k).to_python() for k in range(space.dim(isl.dim_type.set))]
                instances.add((space.get_tuple_name(isl.dim_type.set), tuple(values)))

            fixed.foreach_point(add)
            run = program.execute(**params)
            self.assertEqual(len(run), len(instances))
            self.assertEqual(set(run), instances)
            # Each instance comes no later than those behind it.
            order = isl.Schedule(tree.to_str()).get_map()
            if parametric:
                order = order.intersect_params(isl.Set(f"[n] -> {{ : n = {n} }}"))
            times = [time_of(order, name, values) for name, values in run]
            self.assertEqual(times, sorted(times))


def bands(node):
    if node.get_type() == "band":
        yield node
    for i in range(node.n_children()):
        yield from bands(node.child(i))


def time_of(order, name, values):
    image = isl.UnionSet(f"{{ {name}[{', '.join(map(str, values))}] }}").apply(order)
    found = []
    image.foreach_point(found.append)
    [point] = found
    return [point.get_coordinate_val(isl.dim_type.set, k).to_python() for k in range(point.get_space().dim(isl.dim_type.set))]


if __name__ == "__main__":
    unittest.main()
