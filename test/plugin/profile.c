// A profile has options for single loop nests, which it knows by function and by a fingerprint of the model.
// RUN: rm -rf %t && mkdir -p %t/plain %t/debug
// RUN: env POLY_OPTS=report=%t/plain %clang -O2 %withpoly -c %s -o %t/a.o
// RUN: env POLY_OPTS=report=%t/debug %clang -O2 -g %withpoly -DOTHER_LINES -c %s -o %t/a.o
// RUN: grep -h '"fingerprint"' %t/plain/product.json > %t/plain.txt
// RUN: grep -h '"fingerprint"' %t/debug/product.json > %t/debug.txt
// RUN: diff %t/plain.txt %t/debug.txt

// A file with words for each: the nest of `both` that is tuned is the second one.
// RUN: %python %S/Inputs/make-profile.py %t/plain 'product:0=tile-sizes=16:32;force' 'both:1=disable' > %t/profile
// RUN: env POLY_OPTS='tile-sizes=8;profile=%t/profile' %clang -O2 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t/a.o 2>&1 | %FileCheck %s --implicit-check-not=StaleProfile --implicit-check-not="does not fit"
// CHECK-DAG: remark: optimized 3 loops{{.*}} tiled by 16x32x32{{.*}}; options of the profile: tile-sizes=16:32;force
// CHECK-DAG: remark: 2 loops not optimized: the profile {{.*}} says that the original is faster

// What is said of the function itself wins.
// RUN: env POLY_OPTS='profile=%t/profile;product/tile-sizes=4' %clang -O2 %withpoly -Rpass=poly -c %s -o %t/a.o 2>&1 | %FileCheck %s --check-prefix=NEARER
// NEARER: tiled by 4x4x4

// Another nest: its options are the usual ones, and that is said.
// RUN: env POLY_OPTS=profile=%t/profile %clang -DCHANGED -O2 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t/a.o 2>&1 | %FileCheck %s --check-prefix=STALE
// STALE: remark: the profile {{.*}} does not fit: 1 of the 1 loop nests of this function that it knows are not there; their options are not used
// STALE-NOT: product{{.*}}options of the profile

// RUN: env POLY_OPTS=profile=%s %not %clang -O2 %withpoly -c %s -o %t/a.o 2>&1 | %FileCheck %s --check-prefix=WRONG
// WRONG: wrong value {{.*}} for option 'profile': expected a file that poly tune wrote, but its first line is not `poly profile 1`
// RUN: env POLY_OPTS=profile=%t/none %not %clang -O2 %withpoly -c %s -o %t/a.o 2>&1 | %FileCheck %s --check-prefix=NONE
// NONE: expected a file that can be read

#ifdef OTHER_LINES

#endif
#ifdef CHANGED
#define UPDATE(x) ((x) / 2)
#else
#define UPDATE(x) (x)
#endif

void product(int n, double C[n][n], double A[n][n], double B[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += UPDATE(A[i][k] * B[k][j]);
}

void observe(void);

void both(double C[restrict 1000][1000], double A[restrict 1000][1000]) {
  for (int i = 0; i < 1000; i++)
    for (int j = 0; j < 1000; j++)
      C[j][i] = A[j][i] * 2;
  observe();
  for (int i = 0; i < 1000; i++)
    for (int j = 0; j < 1000; j++)
      C[j][i] += A[i][j] * 3;
}
