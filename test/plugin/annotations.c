// What annotations ask for a function, and hints for loops.

// RUN: %clang -O3 -std=c2x %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:

// Words of all options can be given; what is said for the function wins over what is said for all.
// RUN: env POLY_OPTS='tile-sizes=4;no-register-tile' %clang -O3 -std=c2x %withpoly -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=BOTH %s
// BOTH: annotations.c:[[#TILES:]]:{{.*}} tiled by 16x8x8
// BOTH: annotations.c:[[#TILES+9]]:{{.*}} tiled by 4x4x4

#define N 500
typedef double matrix[N][N];

[[clang::annotate("poly: off")]]
void off(matrix a, matrix b, matrix c) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * b[k][j];
}

__attribute__((annotate("poly: tile=16,8")))
void tiles(matrix a, matrix b, matrix c) {
  // CHECK: annotations.c:[[@LINE+1]]:{{.*}}: remark: optimized 3 loops, {{.*}} tiled by 16x8x8
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * b[k][j];
}

[[clang::annotate("poly: parallel")]]
void threads(matrix a, matrix b, matrix c) {
  // CHECK: annotations.c:[[@LINE+1]]:{{.*}}: remark: optimized 3 loops, {{.*}}, parallel,
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// A promise is not believed, and everything else goes on.
[[clang::annotate("poly: independent")]] [[clang::annotate("of another tool: off")]]
// CHECK: annotations.c:[[@LINE+1]]:{{.*}}: remark: the annotation 'poly: independent' is not used: whether iterations depend on each other is proven
void promised(matrix a, matrix b, matrix c) {
  // CHECK: annotations.c:[[@LINE+1]]:{{.*}}: remark: optimized 3 loops
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * b[k][j];
}

[[clang::annotate("poly: seldom")]]
// CHECK: annotations.c:[[@LINE+1]]:{{.*}}: remark: function cannot be optimized: an annotation: unknown option 'seldom'
void wrong(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] *= 2;
}

// Hints for loops are kept where the loops are, and it is said that other loops do not have them.
void hinted(matrix a, matrix b, matrix c) {
  // CHECK: annotations.c:[[@LINE+1]]:{{.*}}: remark: optimized 3 loops, {{.*}}; the source's hints (vectorize, unroll) are kept in the original loops and not used in the new ones, which are other loops
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
#pragma clang loop vectorize(disable) unroll(disable)
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * b[k][j];
}
