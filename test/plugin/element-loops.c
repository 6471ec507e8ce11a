// Loops that do the same to each component of their points run over elements.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=CODE
// RUN: env POLY_OPTS=no-element-loops %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -S -emit-llvm %s -o - 2>&1 | %FileCheck %s --check-prefix=OFF

// OFF-NOT: optimized 1 loop

typedef struct { double x, y, z; } point;

// CHECK: element-loops.c:[[#@LINE+5]]:3: remark: optimized 1 loop: it runs over the 3 components of each point as over elements of one array
// CODE-LABEL: @step(
// CODE: fmuladd.v4f64
// CODE-NOT: shufflevector <12 x double>
void step(int n, point *restrict x, point *restrict v, const point *restrict a, double dt) {
  for (int i = 0; i < n; i++) {
    v[i].x += dt * a[i].x, v[i].y += dt * a[i].y, v[i].z += dt * a[i].z;
    x[i].x += dt * v[i].x, x[i].y += dt * v[i].y, x[i].z += dt * v[i].z;
  }
}

// An inner loop over components, in a nest.
// CHECK: element-loops.c:[[#@LINE+5]]:5: remark: optimized 1 loop: it runs over the 5 components of each point
// CODE-LABEL: @differences(
// CODE: fsub <4 x double>
void differences(int n, double (*restrict r)[n][5], double (*restrict u)[n][5]) {
  for (int j = 0; j < n; j++)
    for (int i = 1; i < n - 1; i++)
      for (int m = 0; m < 5; m++)
        r[j][i][m] = u[j][i - 1][m] - u[j][i + 1][m];
}

// x and v may be the same points: y[1] is written before x[0] is read.
// CODE-LABEL: @may_overlap(
void may_overlap(int n, point *x, point *v, double dt) {
  for (int i = 0; i < n; i++) {
    v[i].x *= dt, v[i].y *= dt, v[i].z *= dt;
    x[i].x += v[i].z, x[i].y += v[i].x, x[i].z += v[i].y;
  }
}

// Another factor for one component; a value of the point; the next point needs this one.
// CODE-LABEL: @another(
void another(int n, double *restrict q, const double *restrict p, double s) {
  for (int i = 0; i < n; i++)
    q[2 * i] = p[2 * i] * s, q[2 * i + 1] = p[2 * i + 1] * 3;
}
void shared(int n, double *restrict q, const double *restrict p, const double *restrict s) {
  for (int i = 0; i < n; i++)
    q[2 * i] = p[2 * i] * s[i], q[2 * i + 1] = p[2 * i + 1] * s[i];
}
void chained(int n, double *p) {
  for (int i = 1; i < n; i++)
    p[2 * i] += p[2 * i - 2], p[2 * i + 1] += p[2 * i - 1];
}
