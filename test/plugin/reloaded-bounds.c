// Bounds that every iteration loads again, because bytes are written: LLVM does not know how
// often the loops run, so that they are vectors of Poly's or none.
//
// RUN: env POLY_OPTS=machine=haswell %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly %s -S -o /dev/null 2>&1 | %FileCheck %s

struct span {
  unsigned char *begin, *end;
};

struct image {
  int w, h;
  unsigned char *data;
};

// The number of bytes between two pointers is one parameter.
// CHECK: reloaded-bounds.c:[[@LINE+2]]:{{.*}} optimized 1 loop, 1 statement; band of 1, vector
void invert(const struct span *a, struct span *b) {
  for (unsigned long i = 0; i < (unsigned long)(a->end - a->begin); i++)
    b->begin[i] = 255 - a->begin[i];
}

// Divisions by constants are multiplications, and absolute values one operation: this pays from
// small images on.
// CHECK: reloaded-bounds.c:[[@LINE+2]]:{{.*}} optimized 2 loops, 1 statement; band of 2, vector;{{.*}} used for {{.*}} -> { : p0 >= {{[0-9][0-9]}} }
void edges(const struct image *a, struct image *b) {
  for (int y = 1; y < a->h - 1; y++)
    for (int x = 1; x < a->w - 1; x++) {
      int g = a->data[y * a->w + x + 1] - a->data[y * a->w + x - 1] + 2 * a->data[(y + 1) * a->w + x] -
              2 * a->data[(y - 1) * a->w + x];
      b->data[y * b->w + x] = (g < 0 ? -g : g) / 3;
    }
}
