// Where a counter goes on from loop to loop, what it is behind each of them is a union of more and more
// cases. Detection pays for meeting all of them with each other, and gives up the value in time: it
// becomes a parameter. (Before, 230 thousand operations took two seconds.)
//
// A region of this size may not cost that much, unless a budget is given.
//
// RUN: env POLY_OPTS='time-report;budget=10000000' %clang -O2 %withpoly -c %s -o /dev/null 2>&1 | %FileCheck %s
// RUN: env POLY_OPTS='time-report;effort=full' %clang -O2 %withpoly -c %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=BOUND
//
// CHECK: Time report of function 'window'
// CHECK: detection {{[0-9] [0-9][0-9][0-9][0-9][0-9][0-9][0-9] [0-9.]+$}}
//
// BOUND: Time report of function 'window'
// BOUND: detection {{[0-9] [0-9][0-9][0-9][0-9][0-9][0-9] [0-9.]+$}}

float cosf(float);

void window(float *window, int length, int first, int last, int rising, int falling) {
  int n, i;
  for (n = 0, i = 1; n < rising && n < length; n++, i++)
    window[n] = 0.5f - 0.5f * cosf(3.14f * i / rising);
  for (; n < first - rising && n < length; n++)
    window[n] = 1.0f;
  for (i = rising; n < first && n < length; n++, i--)
    window[n] = 0.5f - 0.5f * cosf(3.14f * i / rising);
  for (; n < last && n < length; n++)
    window[n] = 0.0f;
  for (i = 1; n < last + falling && n < length; n++, i++)
    window[n] = 0.5f - 0.5f * cosf(3.14f * i / falling);
  for (; n < length - falling && n < length; n++)
    window[n] = 1.0f;
  for (i = falling; n < length; n++, i--)
    window[n] = 0.5f - 0.5f * cosf(3.14f * i / falling);
}
