// The worked examples of reductions with fewer operations, R1 to R12: the degree that each loses.

// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck %s

// CHECK: [[#@LINE+2]]:3: remark: {{.*}}reduction into {{.*}} from degree 2 to 1, 499500 operations to 999;
void r1(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j <= i; j++)
      sum += x[j];
    y[i] = sum;
  }
}

// CHECK: [[#@LINE+2]]:3: remark: {{.*}}reduction into {{.*}} from degree 2 to 1, 999000 operations to 2997;
void r2(int n, int w, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = i; j < i + w; j++)
      sum += x[j];
    y[i] = sum;
  }
}

// CHECK: [[#@LINE+2]]:3: remark: {{.*}}reduction into {{.*}} from degree 2 to 1 for up to 8191 values, 999000 operations to 17978;
void r2b(int n, int w, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int most = x[i];
    for (int j = i; j < i + w; j++)
      most = x[j] > most ? x[j] : most;
    y[i] = most;
  }
}

// CHECK: [[#@LINE+2]]:3: remark: {{.*}}reduction into {{.*}} from degree 4 to 2, 999999000000 operations to 8988003;
void r3(int n, int r, int y[restrict n][n], int x[restrict n + r][n + r]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int sum = 0;
      for (int a = 0; a < r; a++)
        for (int b = 0; b < r; b++)
          sum += x[i + a][j + b];
      y[i][j] = sum;
    }
}

// CHECK: [[#@LINE+2]]:3: remark: {{.*}}reduction into {{.*}} from degree 3 to 2, 667666000 operations to 2997001;
void r4(int n, int *restrict y, int a[restrict n][2 * n], int b[restrict n][n]) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= i; k++)
        sum += a[i][j + k] * b[k][j];
    y[i] = sum;
  }
}

// CHECK: [[#@LINE+2]]:3: remark: {{.*}}reduction into {{.*}} from degree 3 to 2, 667666000 operations to 1999000;
void r5(int n, int *restrict y, int a[restrict n][n], int b[restrict n][n]) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= i; k++)
        sum += a[i][k] * b[k][j];
    y[i] = sum;
  }
}

// CHECK: [[#@LINE+2]]:3: remark: {{.*}}reduction into {{.*}} from degree 3 to 1, 333832500 operations to 2998;
void r6(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= i; k++)
        sum += x[k];
    y[i] = sum;
  }
}

// CHECK: [[#@LINE+2]]:3: remark: {{.*}}reduction into {{.*}} from degree 3 to 2, 167166000 operations to 999000;
void r7(int n, int *restrict y, int a[restrict n][n]) {
  for (int i = 0; i < n; i++) {
    int most = a[0][0];
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < n - i; k++)
        most = a[j][k] > most ? a[j][k] : most;
    y[i] = most;
  }
}

// CHECK: [[#@LINE+2]]:3: remark: {{.*}}reduction into {{.*}} from degree 2 to 1 for up to 8191 values, {{[0-9]+ operations to [0-9]+}};
void r8(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int most = x[i];
    for (int j = i; j <= 2 * i; j++)
      most = x[j] > most ? x[j] : most;
    y[i] = most;
  }
}

// CHECK: [[#@LINE+3]]:3: remark: {{.*}}reduction into {{.*}} from degree 4 to 3, 165668001497 operations to 992021979;
void r9(int n, int v[restrict n][n], int e1[restrict n][n], int e2[restrict n][n], const int *restrict size,
        const int *restrict asymmetry) {
  for (int i = 0; i < n; i++)
    for (int j = i + 3; j < n; j++) {
      int least = v[i][j];
      for (int p = i + 1; p < j; p++)
        for (int q = p + 1; q < j; q++) {
          int energy = e1[i][j] + e2[p][q] + size[p - i + j - q - 2] + asymmetry[p - i + q - j + n];
          least = energy < least ? energy : least;
        }
      v[i][j] = least;
    }
}

// CHECK: [[#@LINE+3]]:3: remark: {{.*}}reduction into {{.*}} from degree 3 to 2, 1999999999 operations to 1999999;
void r10(int n, int *restrict y, int a[restrict n][n], int b[restrict n][n]) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        sum += a[i][k] * b[k][j];
  *y = sum;
}

// CHECK: [[#@LINE+2]]:3: remark: {{.*}}reduction into {{.*}} from degree 2 to 1, 498501 operations to 998; reduction into {{.*}} from degree 2 to 1, 498501 operations to 998;
void r11(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < n; j++)
      if (j != i)
        sum += y[j];
    y[i] = x[i] - sum / 3;
  }
}

// The class of an element depends on the sums of all others.
// CHECK: [[#@LINE+2]]:3: remark: {{.*}}reduction into {{.*}} from degree 3 to 2, 498501000 operations to 998000; reduction into {{.*}} from degree 3 to 2, 498501000 operations to 998000;
void r12(int n, int k, int *restrict class, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int best = 0, most = -2147483647;
    for (int c = 0; c < k; c++) {
      int sum = 0;
      for (int j = 0; j < n; j++)
        if (j != i)
          if (class[j] == c)
            sum += x[j];
      sum ^= x[i];
      if (sum > most) {
        most = sum;
        best = c;
      }
    }
    class[i] = best;
  }
}
