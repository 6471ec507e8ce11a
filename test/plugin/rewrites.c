// Rewrites in place of the search: given ones are applied if they are legal, and listed in the remark; a limit cuts the list for the whole module.
//
// RUN: env POLY_OPTS='scheduler=original;only-func=product;rewrites=interchange:S1[0]:0:2:1/tile:S1[0]:16:1:8/vectorize:S1[1]' %clang -O3 -c %s -o %t.o %withpoly -Rpass=poly 2>&1 | %FileCheck %s
// CHECK: remark: optimized 3 loops, 1 statement
// CHECK-SAME: predicted {{[0-9.e]+}} cycles against {{[0-9.e]+}} of the original; rewrites: interchange(S1[0], 0, 2, 1); tile(S1[0], 16, 1, 8); vectorize(S1[1])
//
// RUN: env POLY_OPTS='scheduler=original;only-func=sweep;rewrites=join:S0[0]/tile:S0[0]:8' %clang -O3 -c %s -o %t.o %withpoly -Rpass=poly -Rpass-missed=poly 2>&1 | %FileCheck --check-prefix=ILLEGAL %s
// ILLEGAL: remark: {{.*}}the rewrite tile(S0[0], 8) was refused: dependence {{[0-9]+}} would go backwards in loop 1 of the new band
//
// RUN: env POLY_OPTS='scheduler=original;only-func=sweep;rewrites=join:S0[0]/skew:S0[0]:1:0:2/tile:S0[0]:8' %clang -O3 -c %s -o %t.o %withpoly -Rpass=poly -Rpass-missed=poly 2>&1 | %FileCheck --check-prefix=SKEWED %s
// SKEWED: not predicted: tiles have slanted sides; rewrites: join(S0[0]); skew(S0[0], 1, 0, 2); tile(S0[0], 8)
//
// The second function gets what the first one has left of the limit.
// RUN: env POLY_OPTS='scheduler=original;ignore-func=sweep,product;rewrite-limit=1;rewrites=split:S0[0]:1' %clang -O3 -c %s -o %t.o %withpoly -Rpass=poly 2>&1 | %FileCheck --check-prefix=LIMIT %s
// LIMIT: optimized 2 loops{{.*}}rewrites: split(S0[0], 1)
// LIMIT: optimized 2 loops
// LIMIT-NOT: rewrites:
//
// RUN: env POLY_OPTS='random-rewrites=7' %clang -O3 -c %s -o %t.o %withpoly -Rpass=poly 2>&1 | %FileCheck --check-prefix=RANDOM %s
// RUN: env POLY_OPTS='random-rewrites=7' %clang -O3 -S %s -o %t.1.s %withpoly
// RUN: env POLY_OPTS='random-rewrites=7' %clang -O3 -S %s -o %t.2.s %withpoly
// RUN: diff %t.1.s %t.2.s
// RANDOM: rewrites: {{[a-z]+}}(S
//
// An ordinary compilation says the steps that make its loops, and these steps make the same code.
// RUN: env POLY_OPTS='machine=znver4;only-func=product;no-register-tile' %clang -O3 -S %s -o %t.1.s %withpoly -Rpass=poly 2>&1 | %FileCheck --check-prefix=STEPS %s
// STEPS: rewrites: interchange(S1[0], 2, 0, 1); tile(S1[0], 64, 8, 256); interchange(S1[0], 1, 2, 0); vectorize(S1[1])
// RUN: env POLY_OPTS='machine=znver4;only-func=product;rewrites=interchange:S1[0]:2:0:1/tile:S1[0]:64:8:256/interchange:S1[0]:1:2:0/vectorize:S1[1]' %clang -O3 -S %s -o %t.2.s %withpoly
// RUN: diff %t.1.s %t.2.s
//
// RUN: env POLY_OPTS='machine=znver4;scheduler=original;only-func=product;no-tile;rewrite-search' %clang -O3 -c %s -o %t.o %withpoly -Rpass=poly 2>&1 | %FileCheck --check-prefix=SEARCH %s
// SEARCH: predicted {{[0-9.e]+}} cycles against {{[0-9.e]+}} of the original; rewrites: interchange(S1[0], 0, 2, 1); tile(S1[0], 16, 16, 256); vectorize(S1[1])
//
// RUN: env POLY_OPTS='rewrites=fold:S0[0]' %not %clang -O3 -c %s -o %t.o %withpoly 2>&1 | %FileCheck --check-prefix=WRONG %s
// WRONG: wrong value 'fold:S0[0]' for option 'rewrites': expected rewrites; 'fold:S0[0]' is not a rewrite: there is none named 'fold'

void product(double c[256][256], double a[256][256], double b[256][256]) {
  for (int i = 0; i < 256; i++)
    for (int j = 0; j < 256; j++)
      for (int k = 0; k < 256; k++)
        c[i][j] += a[i][k] * b[k][j];
}

void sweep(double a[100][256]) {
  for (int t = 1; t < 100; t++)
    for (int i = 1; i < 255; i++)
      a[t][i] = a[t - 1][i - 1] + a[t - 1][i + 1];
}

void scale(double a[256][256]) {
  for (int i = 0; i < 256; i++)
    for (int j = 0; j < 256; j++)
      a[i][j] *= 3.0;
}

void shift(double a[256][256], double b[256][256]) {
  for (int i = 0; i < 256; i++)
    for (int j = 0; j < 256; j++)
      a[i][j] += b[j][i];
}
