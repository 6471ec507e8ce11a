// Bounds checks against the length of a vector: a difference of two pointers, loaded in the loop, divided by the size of an element. The length is a function of parameters that is not affine without
// division, and the subscript has a product; that the checks never fail is an assumption on the last iteration.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-scops>)' \
// RUN:   | %FileCheck %s

struct vector {
  double *begin, *end;
};

__attribute__((noreturn)) void out_of_range(unsigned long);

// Each pointer is loaded when it is known that the checks before do not fail: the ends of the program behind a load are no reason against it.
// CHECK-LABEL: SCoPs of function 'transposed':
// CHECK-NEXT: scop "transposed:
// CHECK: assume range: {{.*}} { : -536870912 <= n <= 536870912 }
// CHECK: assume not-taken: [n, p0, [[NN:n_0]], p1] -> { : 8[[NN]] <= p0 } because the program does not end inside
// CHECK: assume not-taken: [n, p0, [[NN]], p1] -> { : p1 >= 8[[NN]] } because the program does not end inside
// CHECK-NEXT: array double M0[*]{{\[}}[n, {{.*}}] -> { [(n)] }]
// CHECK-NEXT: array double M1[*]{{\[}}[n, {{.*}}] -> { [(n)] }]
// CHECK-NEXT: load ptr v0 from b if {{.*}} { : n <= 536870912 and -1125899906842624 <= [[NN]] <= 1125899906842624 }
// CHECK-NEXT: load ptr v1 from b_0 if
// CHECK-NEXT: load ptr v2 from a if {{.*}} 8[[NN]] <= p0 }
// CHECK-NEXT: load ptr v3 from a_0 if
// CHECK: domain: {{.*}} { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
// CHECK: %0 = read {{.*}} { S0[i0, i1] -> M0[i1, i0] }
// CHECK: write {{.*}} { S0[i0, i1] -> M1[i0, i1] } of %2
void transposed(long n, struct vector *a, const struct vector *b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      unsigned long from = j * n + i, to = i * n + j;
      if (from >= (unsigned long)(b->end - b->begin))
        out_of_range(from);
      double value = b->begin[from];
      if (to >= (unsigned long)(a->end - a->begin))
        out_of_range(to);
      a->begin[to] += value;
    }
}
