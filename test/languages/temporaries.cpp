// Expressions of arrays, with an operator for each step. Between the loops of two steps there are an allocation, which may throw, and questions about lengths.
// Nothing is left of the temporary arrays where all have one length. The program prints the same with Poly as without: for lengths that differ, for empty arrays,
// and where the allocations fail, each in turn.

// RUN: %clang -x c++ -O3 -c -DALLOCATOR %s -o %t.o
// RUN: %clang -x c++ -O3 -march=x86-64-v3 -c %s -o %t.plain.o
// RUN: %clang %t.plain.o %t.o -o %t.plain -lstdc++ -lm
// RUN: env POLY_OPTS=warn-internal %clang -x c++ -O3 -march=x86-64-v3 -c %withpoly -Rpass=poly %s -o %t.poly.o 2> %t.remarks
// RUN: %clang %t.poly.o %t.o -o %t.poly -lstdc++ -lm
// RUN: env POLY_OPTS='force;process-unprofitable' %clang -x c++ -O3 -march=x86-64-v3 -c -fpass-plugin=%poly %s -o %t.forced.o
// RUN: %clang %t.forced.o %t.o -o %t.forced -lstdc++ -lm
// RUN: %t.plain > %t.expected
// RUN: %t.poly > %t.got
// RUN: cmp %t.expected %t.got
// RUN: %t.forced > %t.got
// RUN: cmp %t.expected %t.got
// RUN: %FileCheck %s < %t.remarks
// RUN: %not grep "internal error" %t.remarks
// RUN: env POLY_OPTS='no-contraction;warn-internal' %clang -x c++ -O3 -march=x86-64-v3 -c %withpoly -Rpass=poly %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=WITHOUT --allow-empty
// WITHOUT-NOT: no elements of

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <vector>

#ifdef ALLOCATOR

long allowed = -1, living;

static void *get(size_t bytes) {
  if (allowed == 0)
    throw std::bad_alloc();
  if (allowed > 0)
    allowed--;
  void *memory = malloc(bytes > 0 ? bytes : 1);
  memset(memory, 0xab, bytes);
  living++;
  return memory;
}

static void give(void *memory) {
  living -= memory != nullptr;
  free(memory);
}

void *operator new(size_t bytes) { return get(bytes); }
void *operator new[](size_t bytes) { return get(bytes); }
void operator delete(void *memory) noexcept { give(memory); }
void operator delete[](void *memory) noexcept { give(memory); }
void operator delete(void *memory, size_t) noexcept { give(memory); }
void operator delete[](void *memory, size_t) noexcept { give(memory); }

#else

extern long allowed, living;

using Vector = std::vector<double>;

static Vector operator+(const Vector &a, const Vector &b) {
  Vector t(a.size());
  for (size_t i = 0; i < a.size(); i++)
    t[i] = a[i] + b[i];
  return t;
}
static Vector operator-(const Vector &a, const Vector &b) {
  Vector t(a.size());
  for (size_t i = 0; i < t.size(); i++)
    t[i] = a[i] - b[i];
  return t;
}
static Vector operator*(const Vector &a, const Vector &b) {
  Vector t(a.size());
  for (size_t i = 0; i < a.size(); i++)
    t[i] = a[i] * b[i];
  return t;
}
static Vector operator*(double s, const Vector &a) {
  Vector t(a.size());
  for (size_t i = 0; i < a.size(); i++)
    t[i] = s * a[i];
  return t;
}

// CHECK-DAG: remark: optimized 3 loops, 1 statement; band of 1, vector; no elements of M{{[0-9]+}}; no elements of M{{[0-9]+}};{{.*}} p0 >= 1488
__attribute__((noinline)) void one_length(Vector &r, const Vector &a, const Vector &b, const Vector &c, const Vector &d) {
  r = a - b + c - d;
}

// The lengths of `a`, `b` and `d` are compared.
// CHECK-DAG: remark: optimized 5 loops, 1 statement; band of 1, vector; no elements of M{{[0-9]+}}; no elements of M{{[0-9]+}}; no elements of M{{[0-9]+}}; no elements of M{{[0-9]+}};
__attribute__((noinline)) void lengths(Vector &r, const Vector &a, const Vector &b, const Vector &c, const Vector &d) {
  r = 2.0 * a + b * c - 0.5 * d;
}

// What is caught sees nothing of the temporary array, but the result.
// CHECK-DAG: remark: optimized 2 loops, 1 statement; band of 1, vector; no elements of M{{[0-9]+}};
__attribute__((noinline)) int caught(Vector &r, const Vector &a, const Vector &b, const Vector &c) {
  try {
    r = a * b + c;
    return 0;
  } catch (const std::exception &) {
    r.assign(r.size(), 7.0);
    return 1;
  }
}

// Arrays that are filled before they are written: of the two that are temporary nothing is left.
// CHECK-DAG: temporaries.cpp:[[@LINE+3]]:{{[0-9]+}}: remark: optimized 3 loops, 1 statement; band of 1, vector; no elements of M{{[0-9]+}}; no elements of M{{[0-9]+}};
__attribute__((noinline)) void declared(Vector &r, const Vector &a, const Vector &b, const Vector &c) {
  Vector t(a.size()), u(a.size());
  for (size_t i = 0; i < a.size(); i++)
    t[i] = a[i] * b[i];
  for (size_t i = 0; i < a.size(); i++)
    u[i] = t[i] + c[i];
  for (size_t i = 0; i < a.size(); i++)
    r[i] = u[i] * 0.5;
}

// A class without sizes that its elements are looked for by.
class Plain {
public:
  explicit Plain(size_t n) : data(new double[n]), n(n) {}
  Plain(Plain &&o) : data(o.data), n(o.n) { o.data = nullptr; }
  Plain(const Plain &) = delete;
  ~Plain() { delete[] data; }
  void operator=(Plain &&o) {
    std::swap(data, o.data);
    std::swap(n, o.n);
  }
  size_t size() const { return n; }
  double &operator[](size_t i) { return data[i]; }
  double operator[](size_t i) const { return data[i]; }

private:
  double *data;
  size_t n;
};

static Plain operator+(const Plain &a, const Plain &b) {
  Plain t(a.size());
  for (size_t i = 0; i < a.size(); i++)
    t[i] = a[i] + b[i];
  return t;
}
static Plain operator*(const Plain &a, const Plain &b) {
  Plain t(a.size());
  for (size_t i = 0; i < a.size(); i++)
    t[i] = a[i] * b[i];
  return t;
}

// CHECK-DAG: remark: optimized 3 loops, 1 statement; band of 1, vector; no elements of M{{[0-9]+}}; no elements of M{{[0-9]+}};{{.*}} p0 >= 186
__attribute__((noinline)) void plain(Plain &r, const Plain &a, const Plain &b, const Plain &c) { r = a * b + c + a; }

// Nothing is made twice for the sake of arrays that have nothing to do with each other: both pairs of loops have new code, whatever the lengths are.
// CHECK-DAG: temporaries.cpp:[[@LINE+4]]:{{[0-9]+}}: remark: optimized 2 loops, 1 statement; band of 1, vector; no elements of M{{[0-9]+}};
// CHECK-DAG: temporaries.cpp:[[@LINE+8]]:{{[0-9]+}}: remark: optimized 2 loops, 1 statement; band of 1, vector; no elements of M{{[0-9]+}};
__attribute__((noinline)) void apart(Vector &r, Vector &q, const Vector &a, const Vector &b, const Vector &c) {
  Vector t(a.size());
  for (size_t i = 0; i < a.size(); i++)
    t[i] = a[i] * b[i];
  for (size_t i = 0; i < a.size(); i++)
    r[i] = t[i] + a[i];
  Vector u(c.size());
  for (size_t i = 0; i < c.size(); i++)
    u[i] = c[i] * c[i];
  for (size_t i = 0; i < c.size(); i++)
    q[i] = u[i] + c[i];
}

// One statement after another: the lengths of each are compared for itself.
// CHECK-DAG: remark: optimized 2 loops, 1 statement; band of 1, vector; no elements of M{{[0-9]+}}; 3 run-time checks; used for [p0, p1] -> { : p0 >= 3000 }
// CHECK-DAG: remark: optimized 2 loops, 1 statement; band of 1, vector; no elements of M{{[0-9]+}}; 3 run-time checks; used for [p0, p1] -> { : p0 >= 3000 }
// CHECK-DAG: remark: optimized 2 loops, 1 statement; band of 1, vector; no elements of M{{[0-9]+}}; 3 run-time checks; used for [p0, p1] -> { : p0 >= 3000 }
__attribute__((noinline)) void update(Vector &x, Vector &r, Vector &p, const Vector &q, double alpha, double beta) {
  x = x + alpha * p;
  r = r - alpha * q;
  p = r + beta * p;
}

// The array is another one in each step.
// CHECK-DAG: remark: optimized 2 loops, 1 statement; band of 1, vector; no elements of M{{[0-9]+}}; 3 run-time checks; used for [p0, p1] -> { : p0 >= 3000 }
__attribute__((noinline)) void steps(Vector &v, const Vector &f, double dt, int n) {
  for (int i = 0; i < n; i++)
    v = v + dt * f;
}

// The same where nobody else knows the arrays, and an allocation that fails in some step is caught.
// CHECK-DAG: remark: optimized 3 loops, {{1 statement|2 statements}}; band of 1, vector; no elements of M{{[0-9]+}}; no elements of M{{[0-9]+}};
// CHECK-DAG: remark: optimized 2 loops, {{1 statement|2 statements}}; band of 1, vector; no elements of M{{[0-9]+}};
__attribute__((noinline)) double springs(const Vector &start, const Vector &k, double dt, int n) {
  Vector x = start, v(start.size());
  int done = 0;
  try {
    for (; done < n; done++) {
      v = v - dt * (k * x);
      x = x + dt * v;
    }
  } catch (const std::exception &) {
    return done + (x.empty() ? 0.5 : x[x.size() / 2]);
  }
  return x.empty() ? 0.5 : x[x.size() / 2];
}

// A sum of the elements of a temporary array, whose length is used behind it.
// CHECK-DAG: remark: optimized 2 loops, 3 statements; band of 1; no elements of M{{[0-9]+}};
__attribute__((noinline)) double distance(const Vector &a, const Vector &b) {
  Vector d = a - b;
  double sum = 0;
  for (size_t i = 0; i < d.size(); i++)
    sum += d[i] * d[i];
  return sqrt(sum / (d.size() + 1));
}

// A sum that wraps around is small where its summands are not: that is asked for.
// CHECK-DAG: remark: optimized 2 loops, 1 statement; band of 1, vector; no elements of M{{[0-9]+}};
static volatile int wraps;
__attribute__((noinline)) void wrapped(Vector &r, const Vector &a, const Vector &b, size_t m, size_t k) {
  if (m + k < 10) {
    r = a * b + a;
    if (m > 20)
      wraps = wraps + 1;
    if (k > 20)
      wraps = wraps + 2;
  }
}

// The allocation throws behind the first loop, whose result is seen: it stays there.
__attribute__((noinline)) void seen(Vector &r, const Vector &a) {
  for (size_t i = 0; i < a.size(); i++)
    r[i] = 2 * a[i];
  Vector t(a.size());
  for (size_t i = 0; i < a.size(); i++)
    t[i] = r[i] * a[i];
  for (size_t i = 0; i < a.size(); i++)
    r[i] = t[i] - a[i];
}

// What has been computed is used where the second allocation throws.
__attribute__((noinline)) double salvaged(const Vector &a) {
  double *t = new double[a.size() + 1];
  for (size_t i = 0; i < a.size(); i++)
    t[i] = 2 * a[i];
  double result = 0;
  try {
    double *u = new double[a.size() + 1];
    for (size_t i = 0; i < a.size(); i++)
      u[i] = t[i] * a[i];
    result = a.empty() ? 0 : u[a.size() - 1];
    delete[] u;
  } catch (const std::exception &) {
    result = a.empty() ? 1 : -t[a.size() - 1];
  }
  delete[] t;
  return result;
}

// No exceptions, and a length of int.
static double *sum(const double *a, const double *b, int n) {
  double *t = (double *)malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    t[i] = a[i] + b[i];
  return t;
}
// CHECK-DAG: remark: optimized 3 loops, 1 statement; band of 1, vector; no elements of M{{[0-9]+}}; no elements of M{{[0-9]+}};{{.*}} p0 >= 186
__attribute__((noinline)) void allocated(double *r, const double *a, const double *b, int n) {
  double *t = sum(a, b, n), *u = sum(t, a, n);
  for (int i = 0; i < n; i++)
    r[i] = u[i] - b[i];
  free(t);
  free(u);
}

// `strdup` allocates, too, but depends on what the second loop writes: it does not move.
__attribute__((noinline)) char *copied(char *text, double *r, const double *a, int n) {
  double *t = (double *)malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    t[i] = 2 * a[i];
  for (int i = 0; i < n; i++)
    text[i] = 'a' + i % 26;
  char *copy = strdup(text);
  for (int i = 0; i < n; i++)
    r[i] = t[i] + a[i];
  free(t);
  return copy;
}

static uint64_t hash;

static void mix(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof(bits));
  hash = hash * 31 + bits;
}

template <class Array> static void mix_all(const Array &a) {
  mix((double)a.size());
  for (size_t i = 0; i < a.size(); i++)
    mix(a[i]);
}

static void fill(double *at, size_t n, uint64_t state) {
  for (size_t i = 0; i < n; i++)
    at[i] = (double)((state = state * 6364136223846793005u + 1442695040888963407u) >> 40) / 1e6 - 8;
}

static Vector made(size_t n, uint64_t state) {
  Vector result(n);
  fill(result.data(), n, state);
  return result;
}

template <class Function> static void tried(long allocations, Function f) {
  allowed = allocations;
  try {
    f();
  } catch (const std::exception &) {
    mix(1);
  }
  allowed = -1;
}

// Each array is at least as long as the one before.
static void all(size_t n, size_t more, long allocations) {
  Vector a = made(n, 1), b = made(n + more, 2), c = made(n + 2 * more, 3), d = made(n + 3 * more, 4), r = made(5, 5), q = made(n, 6);
  tried(allocations, [&] { one_length(r, a, b, c, d); });
  mix_all(r);
  tried(allocations, [&] { lengths(r, a, b, c, d); });
  mix_all(r);
  tried(allocations, [&] { mix(caught(r, a, b, c)); });
  mix_all(r);
  tried(allocations, [&] { declared(q, a, b, c); });
  mix_all(q);
  Vector s(c.size());
  tried(allocations, [&] { apart(q, s, a, b, c); });
  mix_all(q);
  mix_all(s);
  Vector x = a, y = b, z = c;
  tried(allocations, [&] { update(x, y, z, d, 0.5, 0.25); });
  mix_all(x);
  mix_all(y);
  mix_all(z);
  x = a;
  tried(allocations, [&] { update(x, x, x, a, 0.5, 0.25); });
  mix_all(x);
  y = a;
  tried(allocations, [&] { steps(y, b, 0.125, 3); });
  mix_all(y);
  tried(allocations, [&] { mix(springs(a, q, 0.125, 4)); });
  tried(allocations, [&] { mix(distance(a, b)); });
  for (size_t m : {3, 30})
    tried(allocations, [&] { wrapped(q, a, b, m, 5 - m); });
  mix_all(q);
  mix(wraps);
  tried(allocations, [&] { seen(q, a); });
  mix_all(q);
  tried(allocations, [&] { mix(salvaged(a)); });
  Plain pa(n), pb(n + more), pc(n + 2 * more), pr(1);
  fill(&pa[0], n, 7);
  fill(&pb[0], n + more, 8);
  fill(&pc[0], n + 2 * more, 9);
  pr[0] = 3;
  tried(allocations, [&] { plain(pr, pa, pb, pc); });
  mix_all(pr);
  allocated(q.data(), a.data(), b.data(), (int)n);
  mix_all(q);
  std::vector<char> text(n + 1);
  char *copy = copied(text.data(), q.data(), a.data(), (int)n);
  mix_all(q);
  for (size_t i = 0; i <= n; i++)
    mix(copy[i]);
  free(copy);
}

int main() {
  for (size_t n : {0, 1, 2, 3, 7, 20, 21, 22, 100, 1000})
    for (long allocations = -1; allocations < 6; allocations++)
      for (size_t more : {0, 1, 9}) {
        hash = 0;
        all(n, more, allocations);
        printf("%zu %ld %zu: %016llx, %ld\n", n, allocations, more, (unsigned long long)hash, living);
      }
}

#endif
