// Item 4: bounds, sizes and base pointers that are loaded in the loop.
#include <stdlib.h>

struct matrix { int rows, cols; double *data; };

// shape: bound loaded from a structure
void bound_of_structure(const struct matrix *s, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < s->rows; i++)
    for (int j = 0; j < s->cols; j++)
      A[i][j] += B[j][i];
}

// shape: data pointers and sizes loaded from structures
void matrix_add(struct matrix *a, const struct matrix *b) {
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < a->cols; j++)
      a->data[i * a->cols + j] += b->data[i * b->cols + j];
}

// shape: product of matrices in structures
void matrix_product(struct matrix *c, const struct matrix *a, const struct matrix *b) {
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < b->cols; j++) {
      double s = 0;
      for (int k = 0; k < a->cols; k++)
        s += a->data[i * a->cols + k] * b->data[k * b->cols + j];
      c->data[i * c->cols + j] = s;
    }
}

// shape: row pointers
void row_pointers(int n, double **A, double **B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += B[i][j];
}

// shape: product with row pointers
void row_product(int n, double **restrict C, double **restrict A, double **restrict B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}

int global_n;
double *global_a, *global_b;

// shape: bounds and pointers in global variables
void in_globals(void) {
  for (int i = 0; i < global_n; i++)
    for (int j = 0; j < global_n; j++)
      global_a[i * 500 + j] += global_b[j * 500 + i];
}

// shape: bound loaded in every iteration of the outer loop
void bound_by_row(int n, const int *restrict length, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < length[i]; j++)
      A[i][j] += B[j][i];
}

// shape: compressed rows (bounds loaded from row[i], row[i+1])
void sparse(int n, const int *restrict row, const int *restrict col, const double *restrict v, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++)
      y[i] += v[k] * x[col[k]];
}

// shape: bound loaded through a pointer
void bound_of_pointer(const int *n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < *n; i++)
    for (int j = 0; j < *n; j++)
      A[i][j] += B[j][i];
}

struct vector { double *begin, *end; };

// shape: begin and end pointers (as in std::vector)
void vectors(struct vector *a, const struct vector *b) {
  for (size_t i = 0; i < (size_t)(a->end - a->begin); i++)
    a->begin[i] += b->begin[i];
}

struct nested { struct matrix *inner; };

// shape: pointer loaded through two structures
void two_levels(struct nested *s, const double *restrict b) {
  for (int i = 0; i < s->inner->rows; i++)
    for (int j = 0; j < 64; j++)
      s->inner->data[i * 64 + j] += b[j];
}

// shape: coefficients loaded from a structure
struct coefficients { double a, b, c; };
void coefficients(int n, const struct coefficients *c, double A[500][500], double B[500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = c->a * A[i][j] + c->b * B[j][i] + c->c;
}

// shape: bound loaded under a condition
void loaded_under_condition(int n, const struct matrix *s, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    if (i > 7)
      for (int j = 0; j < s->cols; j++)
        A[i][j] += B[j][i];
}

struct int_matrix { int rows, cols; int *data; };

// shape: product of integer matrices in structures
void int_product(struct int_matrix *c, const struct int_matrix *a, const struct int_matrix *b) {
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < b->cols; j++)
      for (int k = 0; k < a->cols; k++)
        c->data[i * c->cols + j] += a->data[i * a->cols + k] * b->data[k * b->cols + j];
}

struct image { int width, height; unsigned char *pixels; };

// shape: bytes of an image in a structure, which any write may change
void brighten(struct image *out, const struct image *in) {
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++)
      out->pixels[y * out->width + x] = in->pixels[y * in->width + x] / 2 + 100;
}
