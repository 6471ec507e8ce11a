// However many nests a function has, each is modelled twice at most: with all others, and when its turn comes. What is in no SCoP is looked at again once.

// RUN: env POLY_LOG=debug POLY_OPTS=force %clang -O3 %withpoly -c %s -o %t.o 2>&1 | grep -o 'detected function="[a-z]*" scops=[0-9]*' | %FileCheck %s

void between(void);

#define NEST(number) \
  for (int i = 0; i < n; i++) \
    for (int j = 0; j < n; j++) \
      a[j][i] += number; \
  between();

// CHECK: function="apart" scops=5
// CHECK-NEXT: function="apart" scops=1
// CHECK-NEXT: function="apart" scops=1
// CHECK-NEXT: function="apart" scops=1
// CHECK-NEXT: function="apart" scops=1
// CHECK-NEXT: function="rejected" scops=3
// CHECK-NEXT: function="rejected" scops=1
// CHECK-NEXT: function="rejected" scops=1
// CHECK-NEXT: function="rejected" scops=0
// CHECK-NOT: {{.}}
void apart(int n, double a[restrict][1000]) { NEST(1) NEST(2) NEST(3) NEST(4) NEST(5) }

void rejected(int n, double a[restrict][1000]) {
  NEST(1)
  for (int i = 0; i < n; i++)
    between();
  NEST(2)
  NEST(3)
}
