"""Schedule trees, the scheduler and programs."""

import unittest

import poly

DOMAIN = poly.UnionSet("[n] -> { S[i, j] : 0 <= i, j < n }")
TREE = """\
domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i] : 0 <= i < n }"
child:
  sequence:
  - filter: "{ S[i, j] }"
    child:
      schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
      permutable: 1
      coincident: [ 1, 0 ]
  - filter: "{ T[i] }"
"""


class Trees(unittest.TestCase):
    def test_trees_are_read_and_written(self):
        tree = poly.Schedule(TREE)
        self.assertEqual(poly.Schedule(str(tree)), tree)
        self.assertEqual(tree.get_domain(), DOMAIN | poly.UnionSet("[n] -> { T[i] : 0 <= i < n }"))
        order = poly.UnionMap("[n] -> { S[i, j] -> [0, i, j] : 0 <= i, j < n; T[i] -> [1, 0, 0] : 0 <= i < n }")
        self.assertEqual(tree.get_map(), order)

    def test_cursors(self):
        root = poly.Schedule(TREE).get_root()
        self.assertEqual((root.get_type(), root.n_children()), ("domain", 1))
        sequence = root.child(0)
        self.assertEqual((sequence.get_type(), sequence.n_children()), ("sequence", 2))
        band = sequence.child(0).child(0)
        self.assertEqual((band.get_type(), band.band_n_member(), band.get_tree_depth()), ("band", 2, 3))
        self.assertTrue(band.band_get_permutable())
        self.assertEqual([band.band_member_get_coincident(i) for i in range(2)], [True, False])
        self.assertEqual(band.get_domain(), DOMAIN)
        self.assertEqual(band.child(0).get_schedule_depth(), 2)
        self.assertEqual(sequence.child(0).filter_get_filter(), poly.UnionSet("{ S[i, j] }"))
        self.assertEqual(sequence.child(0).next_sibling().child(0).get_type(), "leaf")
        self.assertIsNone(root.next_sibling())
        for wrong in (lambda: root.child(1), root.parent, lambda: band.band_member_get_coincident(2), lambda: band.band_split(3)):
            with self.assertRaises(IndexError):
                wrong()
        for wrong in (root.band_n_member, root.delete, lambda: root.insert_mark("x"), lambda: sequence.child(0).insert_mark("x"), band.mark_get_id):
            with self.assertRaises(TypeError):
                wrong()

    def test_changes(self):
        band = poly.Schedule(TREE).get_root().child(0).child(0).child(0)
        tiles = band.band_tile([4, 4])
        self.assertEqual(tiles.child(0).get_type(), "band")
        expected = poly.UnionMap("{ S[i, j] -> [a, b] : 4a <= i < 4a + 4 and 4b <= j < 4b + 4 }").intersect_domain(DOMAIN)
        self.assertEqual(tiles.band_get_partial_schedule_union_map().intersect_domain(DOMAIN), expected)
        swapped = band.band_permute([1, 0])
        self.assertEqual(swapped.band_get_partial_schedule_union_map(), poly.UnionMap("{ S[i, j] -> [j, i] }"))
        self.assertEqual(band.band_split(1).band_n_member(), 1)
        self.assertFalse(band.band_set_permutable(False).band_get_permutable())
        self.assertFalse(band.band_member_set_coincident(0, False).band_member_get_coincident(0))
        marked = band.insert_mark("here")
        self.assertEqual((marked.mark_get_id(), marked.child(0).get_type()), ("here", "band"))
        self.assertEqual(marked.delete().get_schedule(), band.get_schedule())
        self.assertEqual(band.cut().get_type(), "leaf")
        f = poly.MultiUnionPwAff("[{ S[i, j] -> [(i + j)] }]")
        self.assertEqual(band.insert_partial_schedule(f).child(0).get_prefix_schedule_union_map().range().n_set(), 1)
        for wrong in (lambda: band.band_tile([4]), lambda: band.band_tile([0, 1]), lambda: band.band_permute([0, 0])):
            with self.assertRaises(ValueError):
                wrong()
        with self.assertRaises(ValueError):
            band.band_member_set_ast_loop_type(0, "fast")

    def test_values_of_bands(self):
        band = poly.Schedule(TREE).get_root().child(0).child(0).child(0)
        value = lambda node: node.band_get_partial_schedule_union_map().intersect_domain(DOMAIN)
        expected = lambda text: poly.UnionMap(text).intersect_domain(DOMAIN)
        self.assertEqual(value(band.band_scale([2, 3])), expected("{ S[i, j] -> [2i, 3j] }"))
        self.assertEqual(value(band.band_scale_down([2, 3])), expected("{ S[i, j] -> [floor(i/2), floor(j/3)] }"))
        self.assertEqual(value(band.band_mod([2, 3])), expected("{ S[i, j] -> [i mod 2, j mod 3] }"))
        by = poly.MultiUnionPwAff("[{ S[i, j] -> [(1)] }, { S[i, j] -> [(i)] }]")
        self.assertEqual(value(band.band_shift(by)), expected("{ S[i, j] -> [i + 1, i + j] }"))
        for wrong in (lambda: band.band_scale([0, 1]), lambda: band.band_mod([2]), lambda: band.band_shift(poly.MultiUnionPwAff("[{ S[i, j] -> [(1)] }]"))):
            with self.assertRaises(ValueError):
                wrong()

    def test_instances_are_ordered(self):
        tree = poly.Schedule('{ domain: "{ S[i] : 0 <= i <= 9 }", child: { schedule: "[{ S[i] -> [(i)] }]" } }')
        band = tree.get_root().child(0)
        last = poly.Set("{ S[i] : i >= 7 }")
        order = lambda text: poly.UnionMap(text)
        before = band.order_before(last).get_schedule().get_map()
        self.assertEqual(before, order("{ S[i] -> [0, i] : 7 <= i <= 9; S[i] -> [1, i] : 0 <= i <= 6 }"))
        after = band.order_after(poly.UnionSet("{ S[i] : i <= 2 }")).get_schedule().get_map()
        self.assertEqual(after, order("{ S[i] -> [1, i] : 0 <= i <= 2; S[i] -> [0, i] : 3 <= i <= 9 }"))
        grafted = band.child(0).graft_after(poly.UnionMap("{ [i] -> T[i] }"))
        self.assertEqual(grafted.get_domain(), tree.get_domain())
        self.assertEqual(band.insert_guard(poly.Set("[n] -> { : n >= 1 }")).get_type(), "guard")
        context = band.insert_context(poly.Set("[n] -> { : n >= 1 }"))
        self.assertEqual(context.context_get_context(), poly.Set("[n] -> { : n >= 1 }"))
        with self.assertRaises(ValueError):
            band.insert_guard(poly.Set("{ [i] : i >= 1 }"))
        with self.assertRaises(TypeError):
            tree.get_root().order_before(last)

    def test_instances_are_grouped(self):
        tree = poly.Schedule(TREE)
        below = tree.get_root().child(0).child(0).child(0).band_split(1).child(0)
        grouped = below.group("row")
        self.assertEqual(grouped.get_schedule().get_domain(), poly.UnionSet("[n] -> { row[i] : 0 <= i < n; T[i] : 0 <= i < n }"))
        self.assertEqual(grouped.parent().get_type(), "expansion")
        self.assertEqual(grouped.get_subtree_schedule_union_map(), poly.UnionMap("{ S[i, j] -> [j] }").intersect_domain(DOMAIN))
        self.assertEqual(grouped.get_schedule().get_map(), below.get_schedule().get_map())
        for wrong in (lambda: below.group("T"), lambda: below.group("S")):
            with self.assertRaises(ValueError):
                wrong()
        with self.assertRaises(TypeError):
            grouped.child(0).group("again")

    def test_trees_become_one(self):
        tree = poly.Schedule('{ domain: "{ S[i] : 0 <= i <= 9 }", child: { schedule: "[{ S[i] -> [(i)] }]" } }')
        other = poly.Schedule.from_domain(poly.UnionSet("{ T[] }"))
        both = tree.sequence(other)
        self.assertEqual(both.get_map(), poly.UnionMap("{ S[i] -> [0, i] : 0 <= i <= 9; T[] -> [1, 0] }"))
        self.assertEqual(tree.set(other).get_root().child(0).get_type(), "set")
        self.assertEqual(both.intersect_domain(poly.UnionSet("{ T[] }")).get_domain(), other.get_domain())
        self.assertEqual(both.gist().get_map(), both.get_map())
        with self.assertRaises(ValueError):
            tree.sequence(tree)
        wide = poly.Schedule.from_domain(poly.UnionSet("[n] -> { S[i] : 0 <= i < n and n >= 1 }"))
        context = poly.Set("[n] -> { : n >= 1 }")
        self.assertEqual(str(wide.gist_domain_params(context).get_domain()), "[n] -> { S[i] : 0 <= i < n }")

    def test_trees_are_drawn(self):
        tree = poly.Schedule(TREE)
        band = tree.get_root().child(0).child(0).child(0)
        for one in (tree, band.band_tile([32, 32]).get_schedule()):
            picture = one._repr_svg_()
            self.assertTrue(picture.startswith("<svg ") and picture.endswith("</svg>"))
        self.assertIn("tiles of 3 for 32", picture)
        self.assertIsNone(poly.Schedule.from_domain(poly.UnionSet("{ S[a, b, c, d] }"))._repr_svg_())

    def test_functions_of_relations(self):
        f = poly.MultiUnionPwAff.from_union_map(poly.UnionMap("{ A[i] -> [i, 0]; B[i, j] -> [j, i + 1] }"))
        self.assertEqual(f.size(), 2)
        self.assertEqual(f.as_union_map(), poly.UnionMap("{ A[i] -> [i, 0]; B[i, j] -> [j, i + 1] }"))
        for wrong in ("{ A[i] -> [j] : j >= i }", "{ }"):
            with self.assertRaises(ValueError):
                poly.MultiUnionPwAff.from_union_map(poly.UnionMap(wrong))
        with self.assertRaises(poly.SpaceError):
            poly.MultiUnionPwAff.from_union_map(poly.UnionMap("{ A[i] -> [i]; B[i] -> [i, i] }"))


class Scheduling(unittest.TestCase):
    def test_a_stencil_is_skewed(self):
        steps = poly.UnionMap("{ S[t, i] -> S[t + 1, j] : i - 1 <= j <= i + 1 }")
        domain = poly.UnionSet("[n] -> { S[t, i] : 0 <= t, i < n }")
        constraints = poly.ScheduleConstraints.on_domain(domain).set_validity(steps).set_proximity(steps)
        self.assertEqual(constraints.get_validity(), steps)
        self.assertEqual(constraints.get_domain(), domain)
        band = constraints.compute_schedule().get_root().child(0)
        self.assertEqual(band.band_n_member(), 2)
        self.assertTrue(band.band_get_permutable())
        self.assertEqual([band.band_member_get_coincident(i) for i in range(2)], [False, False])

    def test_coincidence_costs_parallelism_only(self):
        domain = poly.UnionSet("{ S[i] : 0 <= i < 9 }")
        pairs = poly.UnionMap("{ S[i] -> S[i + 1] }")
        one = poly.ScheduleConstraints.on_domain(domain)
        self.assertTrue(one.compute_schedule().get_root().child(0).band_member_get_coincident(0))
        one = one.set_coincidence(pairs)
        self.assertFalse(one.compute_schedule().get_root().child(0).band_member_get_coincident(0))

    def test_contexts_and_options(self):
        pairs = poly.UnionMap("[n] -> { S[i, j] -> S[i + n, j] }")
        constraints = poly.ScheduleConstraints.on_domain(DOMAIN).set_validity(pairs)
        constraints = constraints.set_context(poly.Set("[n] -> { : n >= 1 }"))
        self.assertEqual(constraints.get_context(), poly.Set("[n] -> { : n >= 1 }"))
        for options in ({}, {"algorithm": "feautrier"}, {"fusion": "max"}, {"fusion": "none", "maximize_coincidence": True}):
            self.assertEqual(constraints.compute_schedule(**options).get_domain(), DOMAIN)
        with self.assertRaises(ValueError):
            constraints.compute_schedule(algorithm="guess")
        with self.assertRaises(TypeError):
            constraints.compute_schedule(speed=3)
        with self.assertRaises(poly.SpaceError):
            constraints.set_context(poly.Set("{ [i] }"))

    def test_cycles_have_no_schedule(self):
        domain = poly.UnionSet("{ S[i] : 0 <= i < 9 }")
        cycle = poly.UnionMap("{ S[0] -> S[1]; S[1] -> S[0] }")
        with self.assertRaises(poly.ScheduleError):
            poly.ScheduleConstraints.on_domain(domain).set_validity(cycle).compute_schedule()

    def test_a_budget_that_is_used_up(self):
        steps = poly.UnionMap("{ S[i, j] -> S[i + 1, j + 1] }")
        constraints = poly.ScheduleConstraints.on_domain(DOMAIN).set_validity(steps)
        with poly.max_operations(10), self.assertRaises(poly.BudgetError):
            constraints.compute_schedule()


class Programs(unittest.TestCase):
    def test_programs_are_printed_and_run(self):
        program = poly.AstBuild().node_from_schedule(poly.Schedule(TREE))
        self.assertEqual(
            program.to_C_str(),
            "for (int c0 = 0; c0 < n; c0 += 1)\n  for (int c1 = 0; c1 < n; c1 += 1)\n    S(c0, c1);\n"
            "for (int c0 = 0; c0 < n; c0 += 1)\n  T(c0);\n",
        )
        self.assertEqual(program.execute(n=2), [("S", (0, 0)), ("S", (0, 1)), ("S", (1, 0)), ("S", (1, 1)), ("T", (0,)), ("T", (1,))])
        self.assertEqual(program.execute(n=0), [])
        with self.assertRaises(ValueError):
            program.execute()
        with self.assertRaises(ValueError):
            program.execute(n=1, m=2)
        with poly.max_operations(5000), self.assertRaises(poly.BudgetError):
            program.execute(n=10**9)

    def test_nodes(self):
        schedule = poly.UnionMap("[n] -> { S[i] -> [i] : 0 <= i < n and n mod 2 = 0 }")
        program = poly.AstBuild(poly.Set("[n] -> { : n > 0 }")).node_from_schedule_map(schedule)
        self.assertEqual(program.get_type(), "if")
        self.assertEqual(program.if_get_cond(), "pmod(n, 2) == 0")
        self.assertIsNone(program.if_get_else())
        loop = program.if_get_then()
        self.assertEqual((loop.for_get_iterator(), loop.for_get_init(), loop.for_get_upper(), loop.for_get_inc()), ("c0", "0", "n - 1", 1))
        self.assertEqual(loop.for_get_body().user_get_expr(), ("S", ["c0"]))
        self.assertEqual(str(loop.for_get_body()), "S(c0);\n")
        with self.assertRaises(TypeError):
            loop.block_get_children()
        with self.assertRaises(ValueError):
            loop.execute(n=2)

    def test_loop_types(self):
        schedule = poly.UnionMap("{ S[i] -> [i] : 0 <= i < 3 }")
        program = poly.AstBuild().node_from_schedule_map(schedule, loop_type="unroll")
        self.assertEqual([child.get_type() for child in program.block_get_children()], ["user"] * 3)
        band = poly.Schedule(TREE).get_root().child(0).child(0).child(0).insert_mark("outer")
        program = poly.AstBuild().node_from_schedule(band.get_schedule())
        mark = program.block_get_children()[0]
        self.assertEqual((mark.mark_get_id(), mark.mark_get_node().get_type()), ("outer", "for"))

    def test_what_has_no_program(self):
        build = poly.AstBuild()
        with self.assertRaises(poly.UnboundedError):
            build.node_from_schedule_map(poly.UnionMap("{ S[i] -> [i] }"))
        with self.assertRaises(ValueError):
            build.node_from_schedule_map(poly.UnionMap("{ [i] -> [i] : 0 <= i < 5 }"))
        with self.assertRaises(poly.SpaceError):
            poly.AstBuild(poly.Set("{ [i] }"))
        with poly.max_operations(3), self.assertRaises(poly.BudgetError):
            build.node_from_schedule(poly.Schedule(TREE))



class Flow(unittest.TestCase):
    def test_reads_see_the_last_writes(self):
        tree = poly.Schedule('{ domain: "{ W[i] : 0 <= i < 9; R[] }", child: { sequence: [ { filter: "{ W[i] }", child: { schedule: "[{ W[i] -> [(i)] }]" } }, { filter: "{ R[] }" } ] } }')
        info = poly.UnionAccessInfo.from_sink(poly.UnionMap("{ R[] -> a[x] : 0 <= x < 4 }"))
        info = info.set_must_source(poly.UnionMap("{ W[i] -> a[floor(i/4)] : 0 <= i < 9 }")).set_schedule(tree)
        flow = info.compute_flow()
        expected = poly.UnionMap("{ W[3] -> [R[] -> a[0]]; W[7] -> [R[] -> a[1]]; W[8] -> [R[] -> a[2]] }")
        self.assertEqual(flow.get_full_must_dependence(), expected)
        self.assertEqual(flow.get_may_dependence(), poly.UnionMap("{ W[i] -> R[] : i = 3 or i = 7 or i = 8 }"))
        self.assertEqual(flow.get_may_no_source(), poly.UnionMap("{ R[] -> a[3] }"))
        killed = info.set_kill(poly.UnionMap("{ W[8] -> a[1] }")).compute_flow()
        self.assertEqual(killed.get_full_may_dependence(), poly.UnionMap("{ W[3] -> [R[] -> a[0]]; W[8] -> [R[] -> a[2]] }"))
        with self.assertRaises(ValueError):
            info.set_schedule_map(poly.UnionMap("{ R[] -> [0] }")).compute_flow()

    def test_forms_of_programs(self):
        tree = poly.Schedule('{ domain: "[n] -> { S[i] : 0 <= i < n }", child: { schedule: "[{ S[i] -> [(floor(i/4))] }]" } }')
        build = poly.AstBuild(poly.Set("[n] -> { : n >= 1 }"), iterators=["tile", "x"])
        text = build.node_from_schedule(tree).to_C_str(iterator_type="long", prefer_pdiv=True)
        self.assertTrue(text.startswith("for (long tile = 0; tile <= ((n - 1) / 4); tile += 1)"), text)
        self.assertIn("floord(n - 1, 4)", str(build.node_from_schedule(tree)))

    def test_constraints_of_schedules(self):
        domain = poly.UnionSet("[n] -> { S[t, i] : 0 <= t, i < n }")
        steps = poly.UnionMap("{ S[t, i] -> S[t + 1, j] : i - 1 <= j <= i + 1 }")
        stencil = poly.ScheduleConstraints.on_domain(domain).set_validity(steps)
        first = lambda **options: stencil.compute_schedule(**options).get_root().child(0)
        self.assertEqual(first().band_n_member(), 2)
        self.assertTrue(first(outer_coincidence=True).child(0).band_member_get_coincident(0))
        prefix = stencil.set_prefix(poly.MultiUnionPwAff("[{ S[t, i] -> [(t)] }]"))
        self.assertTrue(prefix.compute_schedule().get_root().child(0).child(0).band_member_get_coincident(0))
        free = poly.ScheduleConstraints.on_domain(poly.UnionSet("{ S[i, j] : 0 <= i, j < 9 }"))
        cheap = free.add_cost({("S", 0): 2, ("S", 1): 1}).compute_schedule().get_root().child(0)
        self.assertEqual(cheap.band_get_partial_schedule_union_map(), poly.UnionMap("{ S[i, j] -> [j, i] }"))
        with self.assertRaises(ValueError):
            free.add_cost({("T", 0): 2}).compute_schedule()
        moved = stencil.apply(poly.UnionMap("{ S[t, i] -> T[i, t] }"))
        self.assertEqual(moved.get_validity(), poly.UnionMap("{ T[i, t] -> T[j, t + 1] : i - 1 <= j <= i + 1 }"))


if __name__ == "__main__":
    unittest.main()
