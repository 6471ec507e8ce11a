#include <stdio.h>

static int values[100];

int main(void) {
  int sum = 0;
  for (int i = 0; i < 100; i++)
    values[i] = i;
  for (int i = 0; i < 100; i++)
    sum += values[99 - i];
  printf("%d\n", sum);
}
