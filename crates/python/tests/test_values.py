"""Sets, relations, functions and counting: what the module does by itself."""

import copy
import pickle
import threading
import unittest
from fractions import Fraction

import poly
from poly import dim_type

TRIANGLE = "[n] -> { [i, j] : 0 <= j <= i < n }"


class Errors(unittest.TestCase):
    def test_texts_that_cannot_be_read_have_a_position(self):
        with self.assertRaises(poly.ParseError) as caught:
            poly.Set("{ [i] :\n  0 <= i << 5 }")
        error = caught.exception
        self.assertEqual(error.text[error.position], "<")
        self.assertTrue(str(error).startswith("line 2, column "), str(error))
        self.assertIn(error.message, str(error))
        self.assertIsInstance(error, ValueError)
        self.assertIsInstance(error, poly.Error)
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))

    def test_positions_count_characters(self):
        text = "{ [é] : é >= ? }"
        with self.assertRaises(poly.ParseError) as caught:
            poly.Set(text)
        self.assertLess(caught.exception.position, len(text))
        for cls in (poly.Set, poly.Map, poly.BasicSet, poly.BasicMap, poly.UnionSet, poly.UnionMap, poly.PwQPolynomial):
            with self.assertRaises(poly.ParseError):
                cls("nothing")
            with self.assertRaises(poly.ParseError):
                cls.read_from_str("")

    def test_places_in_schedules_are_positions_too(self):
        text = 'domain: "{ S[i] : 0 <= i < 5 }"\nchild:\n  schedul: "[{ S[i] -> [(i)] }]"\n'
        with self.assertRaises(poly.ParseError) as caught:
            poly.Schedule(text)
        self.assertIn("line 3", str(caught.exception))

    def test_spaces_have_to_fit(self):
        a, b = poly.Set("{ A[i] }"), poly.Set("{ B[i] }")
        m = poly.Map("{ A[i] -> B[i] }")
        wrong = [
            lambda: a | b,
            lambda: a & b,
            lambda: a - b,
            lambda: a <= b,
            lambda: a.gist(b),
            lambda: a.is_disjoint(b),
            lambda: b.apply(m),
            lambda: a.unwrap(),
            lambda: a.lex_lt_set(b),
            lambda: a.intersect_params(b),
            lambda: m.apply_range(m),
            lambda: m.intersect_domain(b),
            lambda: m.intersect_range(a),
            lambda: m.gist_domain(b),
            lambda: m.deltas(),
            lambda: m.curry(),
            lambda: m.zip(),
            lambda: m.range_factor_domain(),
            lambda: m.range_product(m.reverse()),
            lambda: m.fixed_power_val(0),
            lambda: poly.PwQPolynomial("[n] -> { n : }") + poly.PwQPolynomial("[m] -> { m : }"),
            lambda: poly.Map.identity(m.space),
            lambda: poly.Map.lex_lt(m.space),
            lambda: poly.Map.universe(a.space),
            lambda: poly.Set.universe(m.space),
            lambda: poly.Set("[n] -> { : n > 0 }").identity(),
            lambda: a.add_dims(dim_type.in_, 1),
        ]
        for number, operation in enumerate(wrong):
            with self.subTest(number), self.assertRaises(poly.SpaceError):
                operation()

    def test_dimensions_have_to_be_there(self):
        s = poly.Set(TRIANGLE)
        for operation in [
            lambda: s.project_out(dim_type.set, 1, 2),
            lambda: s.project_out(dim_type.param, 0, 2),
            lambda: s.fix_val(dim_type.set, 2, 0),
            lambda: s.dim_max(5),
            lambda: s.get_dim_name(dim_type.set, 2),
            lambda: s.insert_dims(dim_type.set, 3, 1),
            lambda: s.space.get_dim_name(dim_type.in_, 0),
        ]:
            with self.assertRaises(IndexError):
                operation()
        with self.assertRaises(OverflowError):
            s.project_out(dim_type.set, 0, -1)
        for wrong in (lambda: s.project_out(dim_type.div, 0, 1), lambda: s.add_dims(dim_type.set, 10**9), lambda: s.add_dims(dim_type.param, 1)):
            with self.assertRaises(ValueError):
                wrong()
        with self.assertRaises(ValueError):
            poly.Set("[n, m] -> { [i] }").set_dim_name(dim_type.param, 0, "m")

    def test_types_have_to_fit(self):
        s = poly.Set(TRIANGLE)
        for operation in [
            lambda: s | poly.Map("{ [i] -> [j] }"),
            lambda: s.intersect("{ [i, j] }"),
            lambda: s.fix_val(dim_type.set, 0, 1.5),
            lambda: s.fix_val(dim_type.set, 0, True),
            lambda: bool(s),
            lambda: poly.Set(5),
            lambda: poly.BasicSet(s),
            lambda: s < 3,
        ]:
            with self.assertRaises(TypeError):
                operation()
        self.assertFalse(s == 3)
        self.assertTrue(s != "x")

    def test_a_budget_that_is_used_up(self):
        s = poly.Set("[n] -> { [x, y] : 2x >= 3y + n and 5y >= 3x - n and 0 <= x <= n }")
        with poly.max_operations(2):
            self.assertEqual(poly.get_max_operations(), 2)
            with self.assertRaises(poly.BudgetError):
                s.lexmin()
        self.assertEqual(poly.get_max_operations(), 0)
        self.assertFalse(s.is_empty())
        with self.assertRaises(OverflowError):
            poly.set_max_operations(-1)

    def test_what_has_no_bound(self):
        ray = poly.Set("[n] -> { [i] : i >= n }")
        for operation in [ray.lexmax, ray.card, ray.count_val, ray.get_points, lambda: ray.dim_max(0)]:
            with self.assertRaises(poly.UnboundedError):
                operation()

    def test_panics_are_errors(self):
        with self.assertRaises(poly.InternalError) as caught:
            poly._core._panic("for the test")
        self.assertIn("for the test", str(caught.exception))
        self.assertIn("failure.rs", str(caught.exception))


class Values(unittest.TestCase):
    def test_operators(self):
        a, b = poly.Set("{ [i] : 0 <= i < 10 }"), poly.Set("{ [i] : 5 <= i < 15 }")
        self.assertEqual(a & b, poly.Set("{ [i] : 5 <= i < 10 }"))
        self.assertEqual(a | b, poly.Set("{ [i] : 0 <= i < 15 }"))
        self.assertEqual(a - b, poly.Set("{ [i] : 0 <= i < 5 }"))
        self.assertNotEqual(a, b)
        self.assertNotEqual(a, poly.Set("{ A[i] : 0 <= i < 10 }"))
        self.assertTrue(a & b < a <= a | b)
        self.assertTrue(a | b > a >= a & b)
        self.assertEqual(str((a | b).coalesce()), "{ [i] : 0 <= i <= 14 }")

    def test_smaller_values_will_do(self):
        union, one = poly.UnionSet("{ A[i] : 0 <= i < 3; B[] }"), poly.Set("{ A[1] }")
        self.assertEqual(one | union, union)
        self.assertEqual(union | one, union)
        self.assertEqual(one & union, one)
        self.assertEqual((one - union).is_empty(), True)
        self.assertEqual(poly.UnionSet(one), union & one)
        basic = poly.BasicSet("{ A[1] }")
        self.assertEqual(poly.Set(basic), one)
        self.assertEqual(basic | one, one)
        self.assertEqual(union - basic, poly.UnionSet("{ A[0]; A[2]; B[] }"))

    def test_equal_values_have_equal_hashes(self):
        a, b = poly.Set("{ [i] : 0 <= i < 2 }"), poly.Set("[n] -> { [0]; [1] }")
        self.assertEqual(a, b)
        self.assertEqual(hash(a), hash(b))
        self.assertEqual(len({a, b, poly.Set("{ [i] : i = 7 }")}), 2)
        self.assertEqual(hash(poly.UnionMap("{ A[] -> B[]; B[] -> B[] : false }")), hash(poly.UnionMap("{ A[] -> B[] }")))

    def test_values_can_be_copied(self):
        values = [
            poly.Set(TRIANGLE),
            poly.BasicSet(TRIANGLE),
            poly.Map("{ A[i] -> [i + 1] }"),
            poly.BasicMap("{ A[i] -> [i + 1] }"),
            poly.UnionSet("{ A[i]; B[] }"),
            poly.UnionMap("{ A[i] -> B[] }"),
        ]
        for value in values:
            for other in (copy.deepcopy(value), pickle.loads(pickle.dumps(value)), eval("poly." + repr(value))):
                self.assertEqual(other, value)
                self.assertIs(type(other), type(value))

    def test_pieces(self):
        s = poly.Set("{ [i] : i < 0; [i] : i > 5 }")
        found = []
        s.foreach_basic_set(found.append)
        self.assertEqual(len(found), s.n_basic_set())
        self.assertIsInstance(found[0], poly.BasicSet)
        self.assertEqual(found[0] | found[1], s)
        with self.assertRaises(KeyError):
            s.foreach_basic_set(lambda basic: {}[basic])
        m = poly.UnionMap("{ A[i] -> B[]; B[] -> C[i] }")
        self.assertEqual(sorted(map(str, m.get_maps())), ["{ A[i] -> B[] }", "{ B[] -> C[i] }"])

    def test_constraints(self):
        basic = poly.BasicSet("[n] -> { [i, j] : i = 2j + n and 3i <= 7 and i mod 5 = 0 }")
        constraints = basic.get_constraints()
        together = poly.Set.universe(basic.space)
        for constraint in constraints:
            together = together & poly.Set(str(constraint))
        self.assertEqual(together, basic)
        self.assertTrue(any(c.is_equality() for c in constraints))
        [bound] = poly.BasicSet("[n] -> { [i] : 2n - 3i >= 4 }").get_constraints()
        self.assertFalse(bound.is_equality())
        self.assertEqual(bound.get_coefficients_by_name(), {"n": 2, "i": -3, 1: -4})
        self.assertEqual(bound.get_coefficient_val(dim_type.set, 0), -3)
        self.assertEqual(bound.get_constant_val(), -4)
        with self.assertRaises(IndexError):
            bound.get_coefficient_val(dim_type.div, 0)

    def test_points(self):
        s = poly.Set("[n] -> { S[i, j] : 0 <= j <= i < n <= 2 and n >= 1 }")
        points = s.get_points()
        self.assertEqual([(p.parameters["n"], p.coordinates) for p in points], [(1, (0, 0)), (2, (0, 0)), (2, (1, 0)), (2, (1, 1))])
        self.assertEqual(str(points[0]), "[n = 1] -> { S[0, 0] }")
        self.assertTrue(all(p in s and p.to_set() <= s for p in points))
        self.assertEqual(points[3].get_coordinate_val(dim_type.set, 1), 1)
        self.assertEqual(points[3].get_coordinate_val(dim_type.param, 0), 2)
        self.assertIsNone(poly.Set("{ [i] : false }").sample_point())
        self.assertIn(s.sample_point(), s)
        self.assertEqual(len(set(points)), 4)

    def test_large_numbers(self):
        large = 10**40
        s = poly.Set("{ [i] : 0 <= i }").upper_bound_val(dim_type.set, 0, large).lower_bound_val(dim_type.set, 0, -large)
        self.assertEqual(s.count_val(), large + 1)
        self.assertEqual(s.lexmax().sample_point().coordinates, (large,))

    def test_spaces(self):
        space = poly.Space.create_from_names(set=["i", "j"], params=["n"])
        self.assertEqual(poly.Set.universe(space), poly.Set("[n] -> { [i, j] }"))
        self.assertEqual(space.get_var_names(dim_type.out), ["i", "j"])
        self.assertEqual(space.map_from_set().dim(dim_type.in_), 2)
        space = poly.Space.create_from_names(in_=["i"], out=["a", "b"])
        self.assertEqual(str(poly.Map.universe(space)), "{ [i] -> [a, b] }")
        self.assertEqual(space.range().get_var_names(dim_type.set), ["a", "b"])
        self.assertEqual(poly.Map("{ A[] -> B[] }").get_tuple_name(dim_type.out), "B")
        with self.assertRaises(ValueError):
            poly.Space.create_from_names(set=["i"], in_=["j"])
        with self.assertRaises(ValueError):
            poly.Space.create_from_names(params=["n", "n"])

    def test_relations(self):
        step = poly.Map("[n] -> { [i] -> [i + 2] : 0 <= i < n }")
        closure, exact = step.transitive_closure()
        self.assertTrue(exact)
        self.assertEqual(closure, poly.Map("[n] -> { [i] -> [j] : 0 <= i < j <= n + 1 and (j - i) mod 2 = 0 }"))
        power, exact = poly.Map("{ [i] -> [i + 1] }").power()
        self.assertTrue(exact)
        self.assertEqual(power, poly.Map("{ [k] -> [[i] -> [i + k]] : k >= 1 }"))
        self.assertEqual(step.fixed_power_val(-1), step.reverse())
        self.assertEqual(step.deltas(), poly.Set("[n] -> { [2] : n > 0 }"))
        lengths, exact = poly.Map("{ [i] -> [i + 1] : 0 <= i < 3 }").reaching_path_lengths()
        self.assertEqual((lengths, exact), (poly.Set("{ [k] : 1 <= k <= 3 }"), True))
        with self.assertRaises(ValueError):
            poly.Map("{ [i] -> [j] : 0 <= j <= i }").as_pw_multi_aff()

    def test_functions(self):
        least = poly.Set("[n] -> { [x] : x >= n and x mod 5 = 0 }").lexmin_pw_multi_aff()
        self.assertEqual([least(n=n) for n in (-3, 7, 10)], [(0,), (10,), (10,)])
        largest = poly.Set(TRIANGLE).dim_max(0)
        self.assertEqual(largest(n=7), 6)
        self.assertIsNone(largest(n=0))
        self.assertEqual(largest, poly.PwAff("[n] -> { [(n - 1)] : n >= 1 }"))
        half = poly.PwAff("{ [i] -> [(i/2)] }")
        self.assertEqual(half(3), Fraction(3, 2))
        for wrong in (lambda: half(), lambda: half(1, 2), lambda: half(1, n=3), lambda: largest()):
            with self.assertRaises(ValueError):
                wrong()
        f = poly.Map("{ S[i] -> [i + 1, 2i] : i >= 0 }").as_pw_multi_aff()
        self.assertEqual(f(4), (5, 8))
        self.assertEqual(f.as_map(), poly.Map("{ S[i] -> [i + 1, 2i] : i >= 0 }"))

    def test_threads(self):
        expected, found = str(poly.Set(TRIANGLE).card()), []

        def count():
            found.append(str(poly.Set(TRIANGLE).card()))

        threads = [threading.Thread(target=count) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 8)


class Counting(unittest.TestCase):
    def test_numbers_of_points(self):
        count = poly.Set(TRIANGLE).card()
        self.assertEqual([count(n=n) for n in range(-1, 6)], [0, 0, 1, 3, 6, 10, 15])
        self.assertEqual(count, poly.PwQPolynomial("[n] -> { 1/2 n^2 + 1/2 n : n >= 1 }"))
        self.assertEqual(count.eval(poly.Set("[n] -> { : n = 4 }").sample_point()), 10)
        images = poly.Map("{ [i] -> [j] : 0 <= j < i }").card()
        self.assertEqual([images(i) for i in range(3)], [0, 1, 2])
        both = poly.UnionSet("[n] -> { A[i] : 0 <= i < n; B[] : n > 0 }").card()
        self.assertEqual(both(n=5), 6)

    def test_arithmetic(self):
        i = poly.PwQPolynomial("{ [i] -> i : 0 <= i < 10 }")
        self.assertEqual((i * i + 2 * i - i)(3), 12)
        self.assertEqual((Fraction(1, 2) * i)(3), Fraction(3, 2))
        self.assertTrue((i - i).is_zero())
        self.assertEqual(i.sum()(), 45)
        self.assertEqual((-i)(4), -4)
        self.assertEqual(i.intersect_domain(poly.Set("{ [i] : i >= 5 }")).sum()(), 35)
        self.assertEqual(i.domain(), poly.Set("{ [i] : 1 <= i < 10 }") | poly.Set("{ [0] }"))
        [(domain, function)] = i.get_pieces()
        self.assertEqual((domain, function(7), function(70)), (poly.Set("{ [i] : 0 <= i < 10 }"), 7, 70))
        with self.assertRaises(TypeError):
            i * "x"

    def test_bounds(self):
        f = poly.PwQPolynomial("[n] -> { [i] -> i * (n - i) : 0 <= i <= n }")
        upper, _ = f.upper_bound()
        self.assertEqual(upper.get_type(), "max")
        self.assertGreaterEqual(upper(n=8), 16)
        lower, reached = f.lower_bound()
        self.assertEqual((lower(n=8), reached), (0, True))
        self.assertIsNone(lower(n=-1))


class Pictures(unittest.TestCase):
    def test_sets_and_relations_are_drawn(self):
        for value in (poly.Set(TRIANGLE), poly.BasicSet("{ [i, j, k] : 0 <= i, j, k < 3 }"), poly.Map("{ [i] -> [i + 1] : 0 <= i < 3 }")):
            picture = value._repr_svg_()
            self.assertTrue(picture.startswith("<svg ") and picture.endswith("</svg>"))
        self.assertIsNone(poly.Set("{ [a, b, c, d] }")._repr_svg_())


if __name__ == "__main__":
    unittest.main()
