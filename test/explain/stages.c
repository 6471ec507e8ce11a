// What is legal: checked, listed and applied, for a program and for the text of a SCoP.
// REQUIRES: poly
// RUN: %program-poly check %s -- --poly-plugin=%poly --poly-clang=%clang | %FileCheck %s --check-prefix=LEGAL
// LEGAL: product.0: legal
// LEGAL: recurrence.0: legal
// RUN: %program-poly check --json %s -- --poly-plugin=%poly --poly-clang=%clang | %FileCheck %s --check-prefix=JSON
// JSON: "schedule": "product.0"
// JSON-NEXT: "verdict": "legal"
// RUN: %program-poly fusion-space --limit 1 %s -- --poly-plugin=%poly --poly-clang=%clang | %FileCheck %s --check-prefix=SPACE
// SPACE: members
// SPACE-NEXT: member 0:
// SPACE-NOT: member 1:
// RUN: %program-poly apply 'tile(S1[0], 32, 64)' %s -- --poly-plugin=%poly --poly-clang=%clang | %FileCheck %s --check-prefix=APPLIED
// APPLIED: // product, line
// APPLIED: domain:
// APPLIED: for (int c0 = 0; c0 <= floord(n - 1, 32)

// A step that turns a dependence round is refused, and nothing is printed.
// RUN: %not %program-poly apply 'reverse(S2[1], 0)' %s -- --poly-plugin=%poly --poly-clang=%clang 2>&1 | %FileCheck %s --check-prefix=REFUSED
// REFUSED: error: the steps were applied nowhere
// REFUSED-NEXT: product, line [[#]]: {{.*}}reverse(S2[1], 0){{.*}}dependence
// RUN: %not %program-poly apply 'turn(S0[0])' %s 2>&1 | %FileCheck %s --check-prefix=NAME
// NAME: error: {{.*}}there is none named 'turn'

// The same from texts, without a compiler.
// RUN: rm -rf %t && mkdir %t
// RUN: env POLY_OPTS='export=%t;exchange-format=jscop' %clang -O3 %withpoly -c %s -o %t/o
// RUN: %program-poly check %t/recurrence.0.jscop | %FileCheck %s --check-prefix=TEXT
// TEXT: recurrence.0.jscop: legal
// RUN: %program-poly deps %t/recurrence.0.jscop | %FileCheck %s --check-prefix=DEPS
// DEPS: flow {{.*}} S1[i0] -> S1[1 + i0]
// RUN: %program-poly ast %t/recurrence.0.jscop | %FileCheck %s --check-prefix=AST
// AST: for (int c0 = 0; c0 < p0; c0 += 1)
// AST-NEXT: S1(c0);
// RUN: %program-poly schedule --json %t/product.0.jscop | %FileCheck %s --check-prefix=SCHEDULE
// SCHEDULE: "text": "domain:
// RUN: %program-poly fusion-space %t/product.0.jscop | %FileCheck %s --check-prefix=SPACE-OF-TEXT
// SPACE-OF-TEXT: members
// RUN: %not %program-poly apply 'reverse(S1[0], 0)' %t/recurrence.0.jscop 2>&1 | %FileCheck %s --check-prefix=REFUSED-TEXT
// REFUSED-TEXT: error: {{.*}}recurrence.0.jscop: reverse(S1[0], 0) is refused: {{.*}}dependence
// RUN: %program-poly apply 'tile(S1[0], 32)' %t/recurrence.0.jscop | %FileCheck %s --check-prefix=TILED
// TILED: 32

// RUN: echo nonsense > %t/a.jscop
// RUN: %not %program-poly ast %t/a.jscop 2>&1 | %FileCheck %s --check-prefix=NONSENSE
// NONSENSE: error: {{.*}}a.jscop: line 1: expected 'key: value'

void product(int n, double c[n][n], double a[n][n], double b[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
}

void recurrence(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i + 1] = a[i] * 0.5 + 1;
}
