// Solvers with sparse matrices, as people write them, executed again and again with the same
// matrix: what inspectors of Poly are for. `cargo xtask bench sparse` compiles and runs it.
//
//   solvers --list        names and classes of what there is
//   solvers NAME          NAME, seconds that have passed, seconds of processor time, hash of the results
//
// A name is a loop, a matrix, and a number of executions: lower/square-512/200.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KERNEL __attribute__((noinline)) static void

KERNEL lower(int n, const int *row, const int *col, const double *val, const double *scale, const double *b, double *x) {
  for (int i = 0; i < n; i++) {
    double s = b[i];
    for (int k = row[i]; k < row[i + 1]; k++)
      s -= val[k] * x[col[k]];
    x[i] = s * scale[i];
  }
}

KERNEL gauss_seidel(int n, const int *row, const int *col, const double *val, const double *b, double *x) {
  for (int i = 0; i < n; i++) {
    double s = b[i], d = 1;
    for (int k = row[i]; k < row[i + 1]; k++) {
      if (col[k] == i)
        d = val[k];
      else
        s -= val[k] * x[col[k]];
    }
    x[i] = s / d;
  }
}

KERNEL ilu0(int n, const int *row, const int *col, const int *diagonal, double *val) {
  for (int i = 1; i < n; i++)
    for (int k = row[i]; k < diagonal[i]; k++) {
      double f = val[k] / val[diagonal[col[k]]];
      val[k] = f;
      for (int j = k + 1; j < row[i + 1]; j++)
        for (int m = diagonal[col[k]] + 1; m < row[col[k] + 1]; m++)
          if (col[m] == col[j])
            val[j] -= f * val[m];
    }
}

// Rows found by tables of pointers, forwards and backwards.
KERNEL symmetric(int n, const int *length, int *const *cols, double *const *vals, const double *b, double *x) {
  for (int i = 0; i < n; i++) {
    double s = b[i];
    for (int k = 0; k < length[i]; k++)
      s -= vals[i][k] * x[cols[i][k]];
    x[i] += s * 0.125;
  }
  for (int i = n - 1; i >= 0; i--) {
    double s = b[i];
    for (int k = 0; k < length[i]; k++)
      s -= vals[i][k] * x[cols[i][k]];
    x[i] += s * 0.125;
  }
}

enum loop { LOWER, GAUSS_SEIDEL, ILU0, SYMMETRIC, LOOPS };
static const char *const loops[LOOPS] = {"lower", "gauss-seidel", "ilu0", "symmetric"};

// Grids with a side of so many points, each with its neighbours along the axes; or rows with so many
// random columns.
enum kind { SQUARE, CUBE, RANDOM };
static const struct matrix {
  const char *name;
  enum kind kind;
  int side, dimensions;
} matrices[] = {
    {"square-64", SQUARE, 64, 2},   {"square-256", SQUARE, 256, 2}, {"square-512", SQUARE, 512, 2},
    {"cube-96", CUBE, 96, 3},       {"random-9", RANDOM, 100000, 9},
};
#define MATRICES (sizeof matrices / sizeof *matrices)

static const int executions[] = {200, 2000};

// The incomplete factorization wants columns in order, which random rows do not have; and on the
// cube it takes too long to be executed so often.
static int is_there(enum loop loop, enum kind kind, int times) {
  return loop != ILU0 || (kind != RANDOM && (kind != CUBE || times <= 200));
}

static double *val, *x, *b, *scale, **vals;
static int n, *row, *col, *diagonal, *length, **cols;

static void *memory(long count, size_t size) {
  void *made = calloc((size_t)count, size);
  if (!made)
    abort();
  return made;
}

static void add(int column, double value, int *at) {
  col[*at] = column;
  val[(*at)++] = value;
}

static void add_row_of_grid(const struct matrix *of, int is_lower, int i, int *at) {
  int strides[3] = {1, of->side, of->side * of->side}, place[3];
  for (int d = 0, rest = i; d < of->dimensions; d++, rest /= of->side)
    place[d] = rest % of->side;
  for (int d = of->dimensions - 1; d >= 0; d--)
    if (place[d] > 0)
      add(i - strides[d], -1 - 0.01 * (i % 7), at);
  diagonal[i] = *at;
  if (is_lower)
    return;
  add(i, 2 * of->dimensions + 0.3, at);
  for (int d = 0; d < of->dimensions; d++)
    if (place[d] < of->side - 1)
      add(i + strides[d], -1, at);
}

static void add_random_row(const struct matrix *of, int is_lower, int i, unsigned *state, int *at) {
  for (int k = 0; k < of->dimensions; k++) {
    *state = *state * 1103515245u + 12345u;
    int column = (int)((*state >> 8) % (unsigned)n);
    if (!is_lower || column < i)
      add(column, 0.01, at);
  }
  diagonal[i] = *at;
  if (!is_lower)
    add(i, 4, at);
}

static void make(const struct matrix *of, int is_lower) {
  n = of->side;
  for (int d = 1; of->kind != RANDOM && d < of->dimensions; d++)
    n *= of->side;
  long most = (long)n * (2 * of->dimensions + 1);
  row = memory(n + 1, sizeof *row), col = memory(most, sizeof *col), diagonal = memory(n, sizeof *diagonal);
  val = memory(most, sizeof *val), x = memory(n, sizeof *x), b = memory(n, sizeof *b), scale = memory(n, sizeof *scale);
  length = memory(n, sizeof *length), cols = memory(n, sizeof *cols), vals = memory(n, sizeof *vals);
  unsigned state = 1;
  int at = 0;
  for (int i = 0; i < n; i++) {
    row[i] = at;
    b[i] = 1 + i % 13, scale[i] = 0.25;
    if (of->kind == RANDOM)
      add_random_row(of, is_lower, i, &state, &at);
    else
      add_row_of_grid(of, is_lower, i, &at);
    cols[i] = col + row[i], vals[i] = val + row[i], length[i] = at - row[i];
  }
  row[n] = at;
}

static double seconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static uint64_t hash(uint64_t sum, const double *array, int count) {
  for (int i = 0; i < count; i++) {
    uint64_t word;
    memcpy(&word, array + i, sizeof word);
    sum = (sum ^ word) * 1099511628211u;
  }
  return sum;
}

static void run(const char *name, enum loop loop, const struct matrix *of, int times) {
  make(of, loop == LOWER);
  double *pristine = memory(row[n], sizeof *pristine), passed = 0, processor = 0;
  memcpy(pristine, val, (size_t)row[n] * sizeof *val);
  for (int t = 0; t < times; t++) {
    if (loop == ILU0)
      memcpy(val, pristine, (size_t)row[n] * sizeof *val);
    b[t % n] += 1;
    double begun[2] = {seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID)};
    switch (loop) {
    case LOWER:
      lower(n, row, col, val, scale, b, x);
      break;
    case GAUSS_SEIDEL:
      gauss_seidel(n, row, col, val, b, x);
      break;
    case ILU0:
      ilu0(n, row, col, diagonal, val);
      break;
    default:
      symmetric(n, length, cols, vals, b, x);
    }
    passed += seconds(CLOCK_MONOTONIC) - begun[0];
    processor += seconds(CLOCK_PROCESS_CPUTIME_ID) - begun[1];
  }
  printf("%s %.9f %.9f %016llx\n", name, passed, processor, (unsigned long long)hash(hash(1, x, n), val, row[n]));
}

int main(int count, char **arguments) {
  for (int t = 0; t < 2; t++)
    for (enum loop loop = LOWER; loop < LOOPS; loop++)
      for (size_t m = 0; m < MATRICES; m++) {
        char name[100];
        snprintf(name, sizeof name, "%s/%s/%d", loops[loop], matrices[m].name, executions[t]);
        if (!is_there(loop, matrices[m].kind, executions[t]))
          continue;
        if (count > 1 && !strcmp(arguments[1], "--list"))
          printf("%s: sparse\n", name);
        else if (count > 1 && !strcmp(arguments[1], name))
          run(name, loop, matrices + m, executions[t]);
      }
  return 0;
}
