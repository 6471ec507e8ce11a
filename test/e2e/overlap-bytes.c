// Overlaps smaller than an element, and accesses of different sizes to the same bytes.
#include "check.h"

TEST_FUNCTION widen(uint32_t *to, const uint8_t *from, int n) {
  for (int i = 0; i < n; i++)
    to[i] = to[i] * 3 + from[i];
}

TEST_FUNCTION narrow(uint8_t *to, const uint8_t *from, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      to[i] += from[i + j];
}

TEST_FUNCTION words_and_bytes(unsigned char *bytes, int n) {
  for (int i = 0; i < n; i++) {
    uint32_t word;
    memcpy(&word, bytes + 4 * i, 4);
    word = word * 2654435761u + (uint32_t)i;
    memcpy(bytes + 4 * i, &word, 4);
    bytes[4 * i + 5] ^= bytes[4 * i + 2];
  }
}

// unaligned: each word overlaps the next by three bytes
TEST_FUNCTION sliding_words(unsigned char *bytes, int n) {
  for (int i = 0; i < n; i++) {
    uint32_t word;
    memcpy(&word, bytes + i, 4);
    word += 0x01020304u;
    memcpy(bytes + i, &word, 4);
  }
}

int main(void) {
  _Alignas(16) static unsigned char memory[1024];
  for (int offset = 0; offset < 40; offset += 3) {
    FILL(memory, 1024, offset);
    widen((uint32_t *)memory, memory + 200 + hidden(offset), 64);
    SHOW("widen", memory, 300);
    narrow(memory + hidden(offset), memory + 8, 50, 7);
    narrow(memory, memory + hidden(offset), 50, 7);
    SHOW("narrow", memory, 300);
    words_and_bytes(memory + hidden(offset), 30);
    SHOW("words", memory, 300);
    sliding_words(memory + hidden(offset), 100);
    SHOW("sliding", memory, 300);
  }
  return 0;
}
