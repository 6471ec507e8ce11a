// Which loops get an inspector, and which do not.

// RUN: env POLY_OPTS='parallel' %clang -O2 -g %withpoly -Rpass=poly %s -c -o /dev/null 2>&1 | %FileCheck %s
// CHECK-NOT: index arrays
// CHECK: irregular.c:[[@LINE+2]]:3: remark: loops depend on themselves through index arrays: 2 loops
void lower(int n, const int *row, const int *col, const double *val, double *x) {
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++)
      x[i] -= val[k] * x[col[k]];
}
// The loop over sweeps does not move what is written.
// CHECK: irregular.c:[[@LINE+3]]:5: remark: loops depend on themselves through index arrays: 2 loops
void sweeps(int n, int t, const int *row, const int *col, const double *val, double *x) {
  for (int s = 0; s < t; s++)
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int k = row[i]; k < row[i + 1]; k++)
        sum += val[k] * x[col[k]];
      x[i] = sum;
    }
}
// CHECK: irregular.c:[[@LINE+2]]:3: remark: loops depend on themselves through index arrays: 1 loop is run {{.*}} pays
void moved(int n, const int *to, const int *from, double *a) {
  for (int i = 0; i < n; i++)
    a[to[i]] = a[from[i]];
}
// All threads use the array of the one that comes to the loop.
_Thread_local double own[100];
// CHECK: irregular.c:[[@LINE+2]]:3: remark: loops depend on themselves through index arrays: 1 loop is run {{.*}} pays
void of_thread(int n, const int *col) {
  for (int i = 0; i < n; i++)
    own[i] = own[col[i]] * 0.5;
}
// Rows that tables of pointers lead to.
// CHECK: irregular.c:[[@LINE+2]]:3: remark: loops depend on themselves through index arrays: 2 loops are run {{.*}} pays
void rows(int n, const int *length, int *const *cols, double *const *vals, double *x) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < length[i]; k++)
      sum += vals[i][k] * x[cols[i][k]];
    x[i] = sum;
  }
}
// The result is another array, but for what overlaps by chance.
// CHECK: irregular.c:[[@LINE+2]]:3: remark: loops read through index arrays: 2 loops are run {{.*}} what another one writes
void product(int n, const int *row, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      sum += val[k] * x[col[k]];
    y[i] = sum;
  }
}
// No more:
// CHECK-NOT: index arrays

// What is summed over rows is handed on.
void product_and_sum(int n, const int *row, const int *col, const double *val, const double *x, double *y, double *all) {
  double total = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      sum += val[k] * x[col[k]];
    y[i] = sum;
    total += sum * sum;
  }
  *all = total;
}

// Some rows write nothing.
void some(int n, const int *row, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      sum += val[k] * x[col[k]];
    if (sum > 0)
      y[i] = sum;
  }
}

// The same element is read and written.
void histogram(int n, const int *bin, double *h) {
  for (int i = 0; i < n; i++)
    h[bin[i]] += 1;
}

// The index array may be what is written.
void own_index(int n, int *a) {
  for (int i = 0; i < n; i++)
    a[i] = a[a[i]];
}

// A branch depends on what is written.
void on_data(int n, const int *col, double *x) {
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      x[i] = x[col[i]];
}

// A sum goes from iteration to iteration.
double residual(int n, const int *col, double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    x[i] = x[col[i]] * 0.5;
    sum += x[i];
  }
  return sum;
}

void print(double);
void with_call(int n, const int *col, double *x) {
  for (int i = 0; i < n; i++) {
    x[i] = x[col[i]] * 0.5;
    print(x[i]);
  }
}

// The loop may end early.
void search(int n, const int *col, double *x) {
  for (int i = 0; i < n; i++) {
    if (col[i] < 0)
      return;
    x[i] = x[col[i]] * 0.5;
  }
}

void is_volatile(int n, const int *col, volatile double *x) {
  for (int i = 0; i < n; i++)
    x[i] = x[col[i]] * 0.5;
}
