// Item 2: widths and signs of counters and parameters.
#include <stddef.h>
#include <stdint.h>

// shape: 8-bit unsigned bound
void bound_u8(uint8_t n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
}

// shape: 8-bit signed counters
void counter_i8(int8_t n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int8_t i = 0; i < n; i++)
    for (int8_t j = 0; j < n; j++)
      A[i][j] += B[j][i];
}

// shape: 16-bit unsigned counters
void counter_u16(uint16_t n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (uint16_t i = 0; i < n; i++)
    for (uint16_t j = 0; j < n; j++)
      A[i][j] += B[j][i];
}

// shape: 16-bit counter, wider bound
void narrow_counter(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (uint16_t i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
}

// shape: 32-bit unsigned counters
void counter_u32(unsigned n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++)
      A[i][j] += B[j][i];
}

// shape: 32-bit unsigned counter with offset in the subscript
void unsigned_offset(unsigned n, unsigned k, double *restrict a, const double *restrict b) {
  for (unsigned i = 0; i < n; i++)
    a[i + k] += b[i];
}

// shape: 64-bit signed counters
void counter_i64(long n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      A[i][j] += B[j][i];
}

// shape: size_t counters
void counter_size(size_t n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      A[i][j] += B[j][i];
}

// shape: size_t counter going down to zero
void size_down(size_t n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (size_t i = n; i-- > 0;)
    for (size_t j = n; j-- > 0;)
      A[i][j] += B[j][i];
}

// shape: mixed widths
void mixed(int n, long m, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (long j = i; j < m; j++)
      A[i][j] += B[j][i];
}

// shape: signed counter, unsigned bound
void signed_unsigned(unsigned n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < (int)n; i++)
    for (int j = 0; j < (int)n; j++)
      A[i][j] += B[j][i];
}

// shape: bound truncated from 64 bits
void truncated(long n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < (int)n; i++)
    for (int j = 0; j < (int)n; j++)
      A[i][j] += B[j][i];
}

// shape: subscript truncated to 8 bits
void wrapped_subscript(int n, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++)
    a[i] += b[(uint8_t)i];
}

// shape: 128-bit counters
void counter_i128(__int128 n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (__int128 i = 0; i < n; i++)
    for (__int128 j = 0; j < n; j++)
      A[i][j] += B[j][i];
}

// shape: 128-bit elements
void elements_i128(int n, __int128 A[restrict 500][500], __int128 B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
}
