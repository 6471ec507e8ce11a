// Bytes, bits and integers.
// poly: optimizes xor_blocks saturating transpose_bytes translate adler delta_decode odd_even_sort
// poly: optimizes polynomial_product hamming compare_all
#include "bench.h"

KERNEL void xor_blocks(int blocks, int n, const unsigned char *data, unsigned char *parity) {
  for (int i = 0; i < n; i++)
    parity[i] = 0;
  for (int b = 0; b < blocks; b++)
    for (int i = 0; i < n; i++)
      parity[i] ^= data[b * n + i];
}
BENCH(xor_blocks, "parity of blocks") {
  int blocks = size(16), n = size(65536);
  unsigned char *data = bytes((long)blocks * n, 0, 255), *parity = bytes(n, 0, 0);
  REPEAT xor_blocks(blocks, n, data, parity);
}

KERNEL void saturating(int n, const unsigned char *a, const unsigned char *b, unsigned char *c) {
  for (int i = 0; i < n; i++) {
    int s = a[i] + b[i];
    c[i] = (unsigned char)(s > 255 ? 255 : s);
  }
}
BENCH(saturating, "saturating sum of bytes") {
  int n = size(1000000);
  unsigned char *a = bytes(n, 0, 255), *b = bytes(n, 0, 255), *c = bytes(n, 0, 0);
  REPEAT saturating(n, a, b, c);
}

KERNEL void transpose_bytes(int n, int m, const unsigned char *in, unsigned char *out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[j * n + i] = in[i * m + j];
}
BENCH(transpose_bytes, "transposed copy of bytes") {
  int n = size(1000), m = size(1100);
  unsigned char *in = bytes((long)n * m, 0, 255), *out = bytes((long)n * m, 0, 0);
  REPEAT transpose_bytes(n, m, in, out);
}

KERNEL void translate(int n, const unsigned char *table, unsigned char *text) {
  for (int i = 0; i < n; i++)
    text[i] = table[text[i]];
}
BENCH(translate, "table lookup") {
  int n = size(1000000);
  unsigned char *table = bytes(256, 0, 255), *text = bytes(n, 0, 255);
  REPEAT translate(n, table, text);
}

KERNEL unsigned adler(int n, const unsigned char *p) {
  unsigned a = 1, b = 0;
  for (int i = 0; i < n; i++) {
    a = (a + p[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}
BENCH(adler, "checksum, a chain") {
  int n = size(200000);
  unsigned char *p = bytes(n, 0, 255);
  REPEAT result(adler(n, p));
}

KERNEL void delta_decode(int rows, int n, short *x) {
  for (int r = 0; r < rows; r++)
    for (int i = 1; i < n; i++)
      x[r * n + i] = (short)(x[r * n + i] + x[r * n + i - 1]);
}
BENCH(delta_decode, "differences to values, rows") {
  int rows = size(200), n = size(2000);
  short *x = shorts((long)rows * n, -50, 50);
  REPEAT delta_decode(rows, n, x);
}

KERNEL void odd_even_sort(int n, int *x) {
  for (int t = 0; t < n; t++)
    for (int i = t & 1; i + 1 < n; i += 2)
      if (x[i] > x[i + 1]) {
        int y = x[i];
        x[i] = x[i + 1];
        x[i + 1] = y;
      }
}
BENCH(odd_even_sort, "odd-even transposition sort") {
  int n = size(2000);
  int *x = ints(n, 0, 1000000);
  REPEAT odd_even_sort(n, x);
}

KERNEL void polynomial_product(int n, unsigned p, const unsigned *a, const unsigned *b, unsigned *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i + j] = (unsigned)((c[i + j] + (unsigned long)a[i] * b[j]) % p);
}
BENCH(polynomial_product, "product of polynomials modulo a prime") {
  int n = size(800);
  unsigned *a = words(n, 0, 997), *b = words(n, 0, 997), *c = words(2L * n, 0, 0);
  REPEAT polynomial_product(n, (unsigned)size(998), a, b, c);
}

KERNEL void hamming(int n, int words_each, const unsigned *code, int *distance) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int d = 0;
      for (int k = 0; k < words_each; k++)
        d += __builtin_popcount(code[i * words_each + k] ^ code[j * words_each + k]);
      distance[i * n + j] = d;
    }
}
BENCH(hamming, "Hamming distances") {
  int n = size(300), w = size(8);
  unsigned *code = words((long)n * w, 0, 0xffffffffu);
  int *distance = ints((long)n * n, 0, 0);
  REPEAT hamming(n, w, code, distance);
}

KERNEL void compare_all(int n, const int *x, int *rank) {
  for (int i = 0; i < n; i++) {
    int r = 0;
    for (int j = 0; j < n; j++)
      r += x[j] < x[i] || (x[j] == x[i] && j < i);
    rank[i] = r;
  }
}
BENCH(compare_all, "ranks by comparing all pairs") {
  int n = size(2000);
  int *x = ints(n, 0, 100000), *rank = ints(n, 0, 0);
  REPEAT compare_all(n, x, rank);
}
