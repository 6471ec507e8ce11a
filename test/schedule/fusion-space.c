// The space of legal fusion structures of the kernels of [Pouchet2011], at the outermost level and inside; see docs/fusion-space.md.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-fusion-space;fusion-limit=3>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s

enum { N = 500 };

//CHECK-LABEL:Fusion space of function 'advect3d':
// CHECK-NEXT:scop "advect3d: {{.*}}"
// CHECK-NEXT:loops 12, statements 4, references 32
// CHECK-NEXT:level 1 of S0, S1, S2, S3
// CHECK-NEXT:  O: dimensions 12, constraints 42, points 75
// CHECK-NEXT:  F: dimensions 9, constraints 33, points 26
//      CHECK:members 292
// CHECK-NEXT:member 0: {{[{][{][{]}}S0 S1 S2 S3{{[}][}][}]}}
void advect3d(double a[restrict N][N][N], double ab[restrict N][N][N], double al[restrict N][N][N],
              double af[restrict N][N][N], double out[restrict N][N][N], double u[restrict N][N][N],
              double v[restrict N][N][N], double w[restrict N][N][N]) {
  for (long j = 3; j < N - 2; j++)
    for (long i = 0; i < N; i++)
      for (long k = 0; k < N; k++)
        ab[j][i][k] = (0.6 * (a[j - 1][i][k] + a[j][i][k]) - 0.1 * (a[j - 2][i][k] + a[j + 1][i][k]) +
                       0.02 * (a[j - 3][i][k] + a[j + 2][i][k])) * u[j][i][k];
  for (long j = 0; j < N; j++)
    for (long i = 3; i < N - 2; i++)
      for (long k = 0; k < N; k++)
        al[j][i][k] = (0.6 * (a[j][i - 1][k] + a[j][i][k]) - 0.1 * (a[j][i - 2][k] + a[j][i + 1][k]) +
                       0.02 * (a[j][i - 3][k] + a[j][i + 2][k])) * v[j][i][k];
  for (long j = 0; j < N; j++)
    for (long i = 0; i < N; i++)
      for (long k = 3; k < N - 2; k++)
        af[j][i][k] = (0.6 * (a[j][i][k - 1] + a[j][i][k]) - 0.1 * (a[j][i][k - 2] + a[j][i][k + 1]) +
                       0.02 * (a[j][i][k - 3] + a[j][i][k + 2])) * w[j][i][k];
  for (long j = 3; j < N - 3; j++)
    for (long i = 3; i < N - 3; i++)
      for (long k = 3; k < N - 3; k++)
        out[j][i][k] = a[j][i][k] + (al[j][i + 1][k] - al[j][i][k]) + (ab[j + 1][i][k] - ab[j][i][k]) +
                       (af[j][i][k + 1] - af[j][i][k]);
}

//CHECK-LABEL:Fusion space of function 'atax':
// CHECK-NEXT:scop "atax: {{.*}}"
// CHECK-NEXT:loops 4, statements 4, references 10
// CHECK-NEXT:level 1 of S0, S1, S2, S3
// CHECK-NEXT:  O: dimensions 12, constraints 42, points 75
// CHECK-NEXT:  F: dimensions 8, constraints 30, points 16
// CHECK-NEXT:level 2 of S0, S1, S2, S3
// CHECK-NEXT:  O: dimensions 12, constraints 42, points 75
// CHECK-NEXT:  F: dimensions 2, constraints 5, points 3
// CHECK-NEXT:members 22
// CHECK-NEXT:member 0: {{[{]}}S0 S1 {{[{]}}S2{{[}]}} {{[{]}}S3{{[}][}]}}
// CHECK-NEXT:member 1: {{[{]}}S1 S0 {{[{]}}S2{{[}]}} {{[{]}}S3{{[}][}]}}
// CHECK-NEXT:member 2: {{[{]}}S1 {{[{]}}S2{{[}]}} S0 {{[{]}}S3{{[}][}]}}
void atax(double A[restrict N][N], double *restrict x, double *restrict y, double *restrict tmp) {
  for (long i = 0; i < N; i++)
    y[i] = 0;
  for (long i = 0; i < N; i++) {
    tmp[i] = 0;
    for (long j = 0; j < N; j++)
      tmp[i] = tmp[i] + A[i][j] * x[j];
    for (long j = 0; j < N; j++)
      y[j] = y[j] + A[i][j] * tmp[i];
  }
}

//CHECK-LABEL:Fusion space of function 'bicg':
// CHECK-NEXT:scop "bicg: {{.*}}"
// CHECK-NEXT:loops 3, statements 4, references 10
// CHECK-NEXT:level 1 of S0, S1, S2, S3
// CHECK-NEXT:  O: dimensions 12, constraints 42, points 75
// CHECK-NEXT:  F: dimensions 10, constraints 36, points 26
//      CHECK:members 51
// CHECK-NEXT:member 0: {{[{]}}S0 S1 {{[{]}}S2 S3{{[}][}]}}
void bicg(double A[restrict N][N], double *restrict r, double *restrict p, double *restrict s, double *restrict q) {
  for (long i = 0; i < N; i++)
    s[i] = 0;
  for (long i = 0; i < N; i++) {
    q[i] = 0;
    for (long j = 0; j < N; j++) {
      s[j] = s[j] + r[i] * A[i][j];
      q[i] = q[i] + A[i][j] * p[j];
    }
  }
}

//CHECK-LABEL:Fusion space of function 'gemver':
// CHECK-NEXT:scop "gemver: {{.*}}"
// CHECK-NEXT:loops 7, statements 4, references 17
// CHECK-NEXT:level 1 of S0, S1, S2, S3
// CHECK-NEXT:  O: dimensions 12, constraints 42, points 75
// CHECK-NEXT:  F: dimensions 6, constraints 24, points 8
//      CHECK:members 12
// CHECK-NEXT:member 0: {{[{][{]}}S0 S1{{[}]}} S2 {{[{]}}S3{{[}][}]}}
void gemver(double A[restrict N][N], double *restrict u1, double *restrict v1, double *restrict u2,
            double *restrict v2, double *restrict x, double *restrict y, double *restrict z, double *restrict w) {
  for (long i = 0; i < N; i++)
    for (long j = 0; j < N; j++)
      A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
  for (long i = 0; i < N; i++)
    for (long j = 0; j < N; j++)
      x[i] = x[i] + 1.2 * A[j][i] * y[j];
  for (long i = 0; i < N; i++)
    x[i] = x[i] + z[i];
  for (long i = 0; i < N; i++)
    for (long j = 0; j < N; j++)
      w[i] = w[i] + 1.5 * A[i][j] * x[j];
}

//CHECK-LABEL:Fusion space of function 'ludcmp':
// CHECK-NEXT:scop "ludcmp: {{.*}}"
// CHECK-NEXT:loops 9, statements 14, references 39
// CHECK-NEXT:level 1 of S0, S1, S2, S3, S4, S5, S6, S7, S8, S9, S10, S11, S12, S13
// CHECK-NEXT:  O: dimensions 182, constraints 2457, points 10641342970443
// CHECK-NEXT:  F: dimensions 6, constraints 42, points 2
//      CHECK:members 2
// CHECK-NEXT:member 0: {{[{][{]}}S0 {{[{]}}S1{{[}]}} S2{{[}]}} {{[{]}}S3 {{[{]}}S4{{[}]}} S5{{[}][}]}} S6 {{[{]}}S7 {{[{]}}S8{{[}]}} S9{{[}]}} S10 {{[{]}}S11 {{[{]}}S12{{[}]}} S13{{[}]}}
void ludcmp(double a[restrict N + 1][N + 1], double *restrict b, double *restrict x, double *restrict y,
            double *restrict w) {
  for (long i = 0; i < N; i++) {
    for (long j = i + 1; j <= N; j++) {
      *w = a[j][i];
      for (long k = 0; k < i; k++)
        *w = *w - a[j][k] * a[k][i];
      a[j][i] = *w / a[i][i];
    }
    for (long j = i + 1; j <= N; j++) {
      *w = a[i + 1][j];
      for (long k = 0; k <= i; k++)
        *w = *w - a[i + 1][k] * a[k][j];
      a[i + 1][j] = *w;
    }
  }
  y[0] = b[0];
  for (long i = 1; i <= N; i++) {
    *w = b[i];
    for (long j = 0; j < i; j++)
      *w = *w - a[i][j] * y[j];
    y[i] = *w;
  }
  x[N] = y[N] / a[N][N];
  for (long i = 0; i < N; i++) {
    *w = y[N - 1 - i];
    for (long j = N - i; j <= N; j++)
      *w = *w - a[N - 1 - i][j] * x[j];
    x[N - 1 - i] = *w / a[N - 1 - i][N - 1 - i];
  }
}

//CHECK-LABEL:Fusion space of function 'doitgen':
// CHECK-NEXT:scop "doitgen: {{.*}}"
// CHECK-NEXT:loops 5, statements 3, references 7
// CHECK-NEXT:level 1 of S0, S1, S2
// CHECK-NEXT:  O: dimensions 6, constraints 15, points 13
// CHECK-NEXT:  F: dimensions 3, constraints 9, points 4
// CHECK-NEXT:level 2 of S0, S1, S2
// CHECK-NEXT:  O: dimensions 6, constraints 15, points 13
// CHECK-NEXT:  F: dimensions 3, constraints 9, points 4
// CHECK-NEXT:level 3 of S0, S1
// CHECK-NEXT:  O: dimensions 2, constraints 3, points 3
// CHECK-NEXT:  F: dimensions 1, constraints 2, points 2
// CHECK-NEXT:level 3 of S0, S1, S2
// CHECK-NEXT:  O: dimensions 6, constraints 15, points 13
// CHECK-NEXT:  F: dimensions 1, constraints 2, points 2
// CHECK-NEXT:level 4 of S0, S1
// CHECK-NEXT:  O: dimensions 2, constraints 3, points 3
// CHECK-NEXT:  F: dimensions 0, constraints 0, points 1
// CHECK-NEXT:level 4 of S0, S1
// CHECK-NEXT:  O: dimensions 2, constraints 3, points 3
// CHECK-NEXT:  F: dimensions 0, constraints 0, points 1
// CHECK-NEXT:members 12
// CHECK-NEXT:member 0: {{[{][{][{]}}S0 {{[{]}}S1{{[}][}]}} {{[{]}}S2{{[}][}][}]}}
// CHECK-NEXT:member 1: {{[{][{][{]}}S0{{[}]}} {{[{][{]}}S1{{[}][}]}} {{[{]}}S2{{[}][}][}]}}
void doitgen(double A[restrict N][N][N], double C4[restrict N][N], double sum[restrict N][N][N]) {
  for (long r = 0; r < N; r++)
    for (long q = 0; q < N; q++) {
      for (long p = 0; p < N; p++) {
        sum[r][q][p] = 0;
        for (long s = 0; s < N; s++)
          sum[r][q][p] = sum[r][q][p] + A[r][q][s] * C4[s][p];
      }
      for (long p = 0; p < N; p++)
        A[r][q][p] = sum[r][q][p];
    }
}

//CHECK-LABEL:Fusion space of function 'varcovar':
// CHECK-NEXT:scop "varcovar: {{.*}}"
// CHECK-NEXT:loops 7, statements 7, references 16
// CHECK-NEXT:level 1 of S0, S1, S2, S3, S4, S5, S6
// CHECK-NEXT:  O: dimensions 42, constraints 273, points 47293
// CHECK-NEXT:  F: dimensions 25, constraints 171, points 192
//      CHECK:members 800
// CHECK-NEXT:member 0: {{[{]}}S0 {{[{]}}S1 S4{{[}]}} S2 {{[{]}}S3 {{[{]}}S5{{[}][}]}} {{[{]}}S6{{[}][}]}}
void varcovar(double data[restrict N][N], double *restrict mean, double symmat[restrict N][N]) {
  for (long j = 0; j < N; j++) {
    mean[j] = 0;
    for (long i = 0; i < N; i++)
      mean[j] += data[i][j];
    mean[j] /= 3.2;
  }
  for (long i = 0; i < N; i++)
    for (long j = 0; j < N; j++)
      data[i][j] -= mean[j];
  for (long j1 = 0; j1 < N; j1++)
    for (long j2 = j1; j2 < N; j2++) {
      symmat[j1][j2] = 0;
      for (long i = 0; i < N; i++)
        symmat[j1][j2] += data[i][j1] * data[i][j2];
      symmat[j2][j1] = symmat[j1][j2];
    }
}

//CHECK-LABEL:Fusion space of function 'correl':
// CHECK-NEXT:scop "correl: {{.*}}"
// CHECK-NEXT:loops 5, statements 6, references 12
// CHECK-NEXT:level 1 of S0, S1, S2, S3, S4, S5
// CHECK-NEXT:  O: dimensions 30, constraints 165, points 4683
// CHECK-NEXT:  F: dimensions 26, constraints 145, points 604
//      CHECK:members 3903
// CHECK-NEXT:member 0: {{[{][{]}}S3 {{[{]}}S4{{[}]}} S5{{[}]}} S0 {{[{]}}S1{{[}]}} S2{{[}]}}
void correl(double data[restrict N][N], double *restrict mean, double symmat[restrict N][N]) {
  for (long j = 0; j < N; j++) {
    mean[j] = 0;
    for (long i = 0; i < N; i++)
      mean[j] += data[i][j];
  }
  for (long j1 = 0; j1 < N - 1; j1++) {
    symmat[j1][j1] = 1;
    for (long j2 = j1 + 1; j2 < N; j2++) {
      symmat[j1][j2] = 0;
      for (long i = 0; i < N; i++)
        symmat[j1][j2] += data[i][j1] * data[i][j2];
      symmat[j2][j1] = symmat[j1][j2];
    }
  }
}
