// Bounds and addresses that every iteration loads again, as a byte that it writes might have changed them.
// poly: optimizes invert threshold blur edges transposed
#include "check.h"

struct span {
  unsigned char *begin, *end;
};

struct image {
  int w, h, room[8];
  unsigned char *data;
};

TEST_FUNCTION invert(const struct span *a, struct span *b) {
  for (size_t i = 0; i < (size_t)(a->end - a->begin); i++)
    b->begin[i] = 255 - a->begin[i];
}

TEST_FUNCTION copy(const struct span *a, struct span *b) {
  for (size_t i = 0; i < (size_t)(a->end - a->begin); i++)
    b->begin[i] = a->begin[i];
}

TEST_FUNCTION threshold(struct span *a, int least) {
  for (size_t i = 0; i < (size_t)(a->end - a->begin); i++)
    a->begin[i] = a->begin[i] > least ? 255 : 0;
}

TEST_FUNCTION blur(const struct image *a, struct image *b) {
  for (int y = 1; y < a->h - 1; y++)
    for (int x = 1; x < a->w - 1; x++) {
      int sum = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          sum += a->data[(y + dy) * a->w + x + dx];
      b->data[y * b->w + x] = sum / 9;
    }
}

TEST_FUNCTION edges(const struct image *a, struct image *b) {
  for (int y = 1; y < a->h - 1; y++)
    for (int x = 1; x < a->w - 1; x++) {
      int g = a->data[y * a->w + x + 1] - a->data[y * a->w + x - 1] + 2 * a->data[(y + 1) * a->w + x] -
              2 * a->data[(y - 1) * a->w + x];
      b->data[y * b->w + x] = abs(g) / 4;
    }
}

TEST_FUNCTION transposed(const struct image *a, struct image *b) {
  for (int y = 0; y < a->h; y++)
    for (int x = 0; x < a->w; x++)
      b->data[x * b->w + y] = a->data[y * a->w + x];
}

// The first byte that is written makes the loop shorter.
static void shorter(void) {
  static _Alignas(256) unsigned char from[256];
  struct span a = {from, from + hidden(200)}, b = {(unsigned char *)&a.end, 0};
  memcpy(from, &a.end, sizeof a.end);
  memset(from + sizeof a.end, 0, sizeof from - sizeof a.end);
  // Where the least significant byte comes first, the end is six bytes behind the beginning then.
  const uint16_t order = 1;
  if (*(const unsigned char *)&order == 1)
    from[0] = 6;
  copy(&a, &b);
  printf("%d bytes\n", (int)(a.end - a.begin));
}

// Rows become shorter by what is written to the width.
static void narrower(int w, int h) {
  static unsigned char pixels[4096], others[4096];
  memset(pixels, 0, sizeof pixels);
  memset(others, 0, sizeof others);
  struct image a = {.w = w, .h = h, .data = pixels}, b = {.w = 1, .h = h, .data = others};
  for (int i = 0; i < 256; i++)
    pixels[i] = (unsigned char)(i % 3);
  b.data = (unsigned char *)&a.w;
  pixels[0] = 2;
  pixels[1] = pixels[2] = pixels[3] = 0;
  a.h = 1;
  transposed(&a, &b);
  printf("%d wide\n", a.w);
}

int main(void) {
  static unsigned char first[2][64 * 64], second[64 * 64];
  for (int n = 0; n <= 64; n += n < 8 ? 1 : 28) {
    for (int i = 0; i < 64 * 64; i++)
      first[0][i] = (unsigned char)(i * 37 + n), first[1][i] = second[i] = (unsigned char)(i * 11);
    const int size = (int)hidden(n);
    struct span a = {first[0], first[0] + size * size}, b = {second, second};
    struct span overlapping = {first[0] + 1, first[0] + 1};
    invert(&a, &b);
    SHOW("inverted", second, COUNT(second));
    threshold(&b, 100);
    b.end = b.begin + size * size;
    threshold(&b, 100);
    SHOW("threshold", second, COUNT(second));
    struct image from = {.w = size, .h = size, .data = first[0]}, to = {.w = size, .h = size, .data = second};
    blur(&from, &to);
    SHOW("blurred", second, COUNT(second));
    edges(&from, &to);
    SHOW("edges", second, COUNT(second));
    transposed(&from, &to);
    SHOW("transposed", second, COUNT(second));
    invert(&a, &overlapping);
    SHOW("overlapping", first[0], COUNT(first[0]));
  }
  shorter();
  narrower((int)hidden(4), 1);
  return 0;
}
