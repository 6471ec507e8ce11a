// Arrays of structures, structures with arrays, unions, complex numbers and vectors.
#include <complex.h>

#include "check.h"

#define N 16

struct particle {
  double position[3];
  int charge;
  float mass;
};

struct packed {
  char tag;
  int value;
} __attribute__((packed));

struct grid {
  int n;
  double cell[N][N];
  double border[N];
};

typedef float four __attribute__((vector_size(16)));

TEST_FUNCTION forces(int n, struct particle *p, double f[N][3]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < 3; k++)
        f[i][k] += (p[i].position[k] - p[j].position[k]) * p[i].charge * p[j].charge * p[j].mass;
}

TEST_FUNCTION move(int n, struct particle *p, double f[N][3]) {
  for (int i = 0; i < n; i++) {
    p[i].charge += i % 3;
    for (int k = 0; k < 3; k++)
      p[i].position[k] += f[i][k] * 0.125;
    p[i].mass *= 0.5f;
  }
}

TEST_FUNCTION tags(int n, struct packed *p) {
  for (int i = 1; i < n; i++) {
    p[i].value += p[i - 1].value + p[i].tag;
    p[i - 1].tag = (char)(p[i].value & 15);
  }
}

TEST_FUNCTION relax(struct grid *g) {
  for (int i = 1; i < g->n - 1; i++)
    for (int j = 1; j < g->n - 1; j++)
      g->cell[i][j] = 0.25 * (g->cell[i - 1][j] + g->cell[i + 1][j] + g->border[i] + g->border[j]);
}

TEST_FUNCTION turn(int n, double complex a[N][N], double complex b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] += b[j][i] * (0.5 + 0.25 * I);
}

TEST_FUNCTION vectors(int n, four *a, four *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i] += b[j] * a[j];
}

TEST_FUNCTION punned(int n, union { double number; uint64_t bits; } * a) {
  for (int i = 1; i < n; i++) {
    a[i].number = a[i - 1].number * 0.5 + i;
    a[i].bits &= ~UINT64_C(0xff);
  }
}

int main(void) {
  static struct particle p[N];
  static double f[N][3];
  static struct packed t[N];
  static struct grid g;
  static double complex a[N][N], b[N][N];
  static four v[N], w[N];
  static double u[N];
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 3; k++)
      p[i].position[k] = start_value(3 * i + k) * 0.25;
    p[i].charge = i % 5 - 2;
    p[i].mass = 1 + i * 0.5f;
    t[i].tag = (char)i;
    t[i].value = start_value(i);
    v[i] = (four){(float)i, 1, 0.5f, (float)-i} * 0.125f;
    w[i] = (four){1, (float)-i, (float)i, 2} * 0.0625f;
    for (int j = 0; j < N; j++) {
      a[i][j] = start_value(i * N + j) + I * start_value(j * N + i);
      b[i][j] = a[i][j] * 0.5;
    }
  }
  FILL(&g.cell[0][0], N * N, 1);
  FILL(g.border, N, 2);
  FILL(u, N, 3);
  for (int n = 0; n <= N; n += 4) {
    int h = (int)hidden(n);
    g.n = h;
    forces(h, p, f);
    move(h, p, f);
    tags(h, t);
    relax(&g);
    turn(h, a, b);
    turn(h, b, b);
    vectors(h / 4, v, w);
    punned(h, (void *)u);
    SHOW("forces", &f[0][0], N * 3);
    SHOW("cell", &g.cell[0][0], N * N);
    SHOW("turn", (double *)a, 2 * N * N);
    SHOW("turn", (double *)b, 2 * N * N);
    SHOW("vectors", (float *)v, 4 * N);
    SHOW("punned", u, N);
    for (int i = 0; i < N; i++)
      printf("%a %d %a %d %d\n", p[i].position[1], p[i].charge, (double)p[i].mass, t[i].tag, t[i].value);
  }
  return 0;
}
