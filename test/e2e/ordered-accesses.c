// Accesses whose number and order are part of what a program does: volatile and atomic ones.
#include <stdatomic.h>

#include "check.h"

#define N 16

static volatile int sensor;
static _Atomic int counter;

TEST_FUNCTION samples(int n, int a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      sensor = sensor + 1;
      a[j][i] = sensor;
    }
}

TEST_FUNCTION tickets(int n, int a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += atomic_fetch_add(&counter, 1);
}

TEST_FUNCTION volatile_elements(int n, volatile int a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++)
      a[i][j] = a[i][j - 1] + a[j][i];
}

TEST_FUNCTION fenced(int n, int a[N][N], int b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] = b[j][i] + 1;
      atomic_thread_fence(memory_order_seq_cst);
      b[i][j] = a[j][i];
    }
}

TEST_FUNCTION assembler(int n, int a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int value = a[j][i];
      __asm__ volatile("" : "+r"(value) : : "memory");
      a[i][j] = value + sensor;
    }
}

static int a[N][N], b[N][N];

int main(void) {
  for (int n = 0; n <= N; n += 4) {
    int h = (int)hidden(n);
    FILL(&b[0][0], N * N, n);
    samples(h, a);
    SHOW("samples", &a[0][0], N * N);
    tickets(h, a);
    SHOW("tickets", &a[0][0], N * N);
    volatile_elements(h, b);
    SHOW("volatile_elements", &b[0][0], N * N);
    for (int i = 0; i < N * N; i++)
      (&b[0][0])[i] &= 1023;
    fenced(h, a, b);
    SHOW("fenced", &b[0][0], N * N);
    assembler(h, a);
    SHOW("assembler", &a[0][0], N * N);
  }
  printf("%d %d\n", sensor, counter);
  return 0;
}
