// Loops that look for extremes and where they are: in lanes where the first or the last of equal
// ones is kept.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=CODE
// RUN: env POLY_OPTS=no-extremes %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -S -emit-llvm %s -o - 2>&1 | %FileCheck %s --check-prefix=OFF

// OFF-NOT: in lanes
// OFF-NOT: @first_least.poly(

// CHECK: extremes.c:[[#@LINE+7]]:3: remark: optimized 1 loop: 1 extreme is looked for in lanes
// CODE-LABEL: define internal{{.*}} @first_least.poly(
// CODE: fcmp olt <8 x float>
// CODE: select <8 x i1> %{{.*}}, <8 x i32>
int first_least(int n, const float *a, float *value) {
  float best = a[0];
  int at = 0;
  for (int i = 1; i < n; i++)
    if (a[i] < best) {
      best = a[i];
      at = i;
    }
  *value = best;
  return at;
}

// The value is found at the place.
// CHECK: extremes.c:[[#@LINE+3]]:3: remark: optimized 1 loop: 1 extreme is looked for in lanes
unsigned long by_place(unsigned long n, const double *a) {
  unsigned long at = 0;
  for (unsigned long i = 1; i < n; i++)
    if (a[at] <= a[i])
      at = i;
  return at;
}

// Nothing but pointers, as std::max_element has them.
// CHECK: extremes.c:[[#@LINE+3]]:3: remark: optimized 1 loop: 1 extreme is looked for in lanes
const float *by_pointer(const float *first, const float *last) {
  const float *best = first;
  for (; first != last; ++first)
    if (*best < *first)
      best = first;
  return best;
}

// In rows, the order in which lanes are rows is not better.
// CHECK: extremes.c:[[#@LINE+4]]:3: remark: 1 loop not optimized: no profitable transformation
// CHECK: extremes.c:[[#@LINE+6]]:5: remark: optimized 1 loop: 2 extremes are looked for in lanes
void in_rows(int n, int m, const float *x, float *least, float *largest, int *place) {
  __builtin_assume(m > 1);
  for (int i = 0; i < n; i++) {
    float low = x[i * m], high = low;
    int at = 0;
    for (int j = 1; j < m; j++) {
      float value = x[i * m + j];
      low = value < low ? value : low;
      if (value > high) {
        high = value;
        at = j;
      }
    }
    least[i] = low;
    largest[i] = high;
    place[i] = at;
  }
}

// Rows of equal length: the question whether they are long enough is asked once, and the whole nest
// is new code.
// CHECK: extremes.c:[[#@LINE+3]]:3: remark: 1 loop not optimized: no profitable transformation
// CHECK: extremes.c:[[#@LINE+5]]:5: remark: optimized 1 loop: 1 extreme is looked for in lanes
void of_rows(long n, long m, const float *x, double *place) {
  for (long i = 0; i < n; i++) {
    float best = x[i * m];
    long at = 0;
    for (long j = 1; j < m; j++)
      if (x[i * m + j] < best) {
        best = x[i * m + j];
        at = j;
      }
    place[i] = (double)at;
  }
}
// CODE-LABEL: define internal{{.*}} @of_rows.poly(
// CODE: fcmp olt <8 x float>
// CODE: store double

// The next place of a search for shortest paths: only some are looked at, and loaded under a
// mask. What is kept is loaded.
// CHECK: extremes.c:[[#@LINE+6]]:3: remark: optimized 1 loop: 1 extreme is looked for in lanes
// CODE-LABEL: define internal{{.*}} @next_place.poly(
// CODE: @llvm.masked.load.v8f32
int next_place(int n, const float *distance, const int *done, const int *names) {
  int name = -1;
  float best = 1e30f;
  for (int i = 0; i < n; i++)
    if (!done[i] && distance[i] <= best) {
      best = distance[i];
      name = names[i];
    }
  return name;
}

// Bytes have no masked loads.
// CHECK: extremes.c:[[#@LINE+4]]:3: remark: 1 loop not optimized: no profitable transformation
int bytes_under_conditions(int n, const unsigned char *value, const int *done) {
  int at = -1;
  unsigned char best = 255;
  for (int i = 0; i < n; i++)
    if (!done[i] && value[i] < best) {
      best = value[i];
      at = i;
    }
  return at;
}

// What is no number is kept here.
// CHECK: extremes.c:[[#@LINE+4]]:3: remark: 1 loop not optimized: no profitable transformation
int not_larger(int n, const float *a) {
  float best = a[0];
  int at = 0;
  for (int i = 1; i < n; i++)
    if (!(a[i] >= best)) {
      best = a[i];
      at = i;
    }
  return at;
}

// The best one so far decides what comes next.
// CHECK: extremes.c:[[#@LINE+4]]:3: remark: 1 loop not optimized: no profitable transformation
int falling(int n, const float *a) {
  float best = a[0];
  int at = 0;
  for (int i = 1; i < n; i++) {
    if (a[i] + best < 0) {
      best = a[i];
      at = i;
    }
  }
  return at;
}
