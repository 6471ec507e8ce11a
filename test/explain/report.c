// The page of `poly report`: complete, self-contained, the same each time; requests that cannot be met leave nothing behind.
// REQUIRES: poly
// RUN: rm -rf %t && mkdir %t
// RUN: %program-poly report %s -o %t/page.html -- --poly-plugin=%poly --poly-clang=%clang --poly-opts=machine=x86-64-v3
// RUN: %FileCheck %s --input-file=%t/page.html
// RUN: %program-poly report %s -o - -- --poly-plugin=%poly --poly-clang=%clang --poly-opts=machine=x86-64-v3 > %t/again
// RUN: cmp %t/page.html %t/again
// RUN: %python %S/Inputs/check-html.py %t/page.html
// RUN: %not %program-poly report %s -o %t 2>&1 | %FileCheck %s --check-prefix=FOLDER
// RUN: %not %program-poly report %s -o %t/none/page.html 2>&1 | %FileCheck %s --check-prefix=NO-FOLDER
// RUN: %not %program-poly report %s.none.c -o %t/other.html 2>&1 | %FileCheck %s --check-prefix=NONE
// RUN: %not %program-poly report --function nowhere %s -o %t/other.html -- --poly-plugin=%poly --poly-clang=%clang 2>&1 | %FileCheck %s --check-prefix=NO-FUNCTION
// RUN: ls %t | %FileCheck %s --check-prefix=FILES
// RUN: %program-poly report %S/languages.ll -o - -- --poly-plugin=%poly --poly-clang=%clang --poly-opts=machine=x86-64-v3 | %FileCheck %s --check-prefix=IR
// RUN: %program-poly report %S/languages.cpp -o - -- --poly-plugin=%poly --poly-clang=%clang --poly-opts=machine=x86-64-v3 | %FileCheck %s --check-prefix=CPP
// RUN: %program-poly report --help | %FileCheck %s --check-prefix=HELP
// FOLDER: error: {{.*}} is a folder: name a file for the page
// NO-FOLDER: error: there is no folder {{.*}}none for the page
// NONE: error: {{.*}} cannot be read
// NO-FUNCTION: error: no function with loops has a name that contains 'nowhere'
// FILES: again
// FILES-NEXT: page.html
// FILES-NOT: {{.}}
// HELP: Examples:
// HELP-NEXT: poly report kernel.c
// IR: transpose
// IR: Colours are the {{[0-9]+}} tiles of the new order
// CPP: lib::Matrix&lt;double&gt;::scale(double), lines
// CPP: <small>in the object file <code>_ZN3lib6MatrixIdE5scaleEd</code></small>
//
// CHECK: <!DOCTYPE html><html lang="en">
// CHECK: <title>Poly: report.c</title>
// CHECK: 3 loops optimized, 2 left as written, 1 not understood
// CHECK: <h2 id="source">Source</h2>
// CHECK: <span class="line optimized">{{.*}}<a class="badge" href="#nest1">✓ optimized</a>
// CHECK: <span class="line unchanged">{{.*}}<a class="badge" href="#nest2">= left as written</a>
// CHECK: <span class="line rejected">{{.*}}<a class="badge" href="#nest3">✗ not understood</a>
// CHECK-NEXT: <span class="line rejected">{{.*}}i++;</span>
//
// CHECK: <h2 id="nest1">product, lines
// CHECK: <h3>What was done</h3>
// CHECK: <code>S1</code> line {{[0-9]+}}</dt><dd><code>C[i][j] += A[i][k] * B[k][j];</code>
// CHECK: i0, i1, i2: iterations, from 0, of the loops at lines
// CHECK: <figure class="scene" data-count="125">
// CHECK: <input type="radio" name="nest1-order" value="o"> original
// CHECK: <svg {{.*}} role="img" aria-labelledby="nest1-0-title nest1-0-desc"><title id="nest1-0-title">Iterations of S1</title>
// CHECK: 125 points of 3 dimensions (i0, i1, i2) and 100 dependences between them
// CHECK: data-o="0" data-n="0"><title>S1(i0 = 0, i1 = 0, i2 = 0), tile 1</title>
// CHECK: 125 iterations for n = 5.
// CHECK: the picture has smaller ones than the program: sizes
// CHECK: <h4>before</h4><ul class="tree"><li><span class="node">statements S1</span>
// CHECK: <h4>after</h4><ul class="tree"><li><span class="node">statements S1</span>
// CHECK: tiles over <code>floor(i2/{{[0-9]+}})</code>
// CHECK: aria-label="Loops before">for (int c0 = 0; c0 &lt; n; c0 += 1)
// CHECK: aria-label="Loops after">
// CHECK: <li>what is used of C and of A does not overlap</li>
// CHECK: <h3>Predicted time</h3>
// CHECK: with caches of 32 KiB
// CHECK: <h3>Rewrites</h3>
//
// CHECK: <h2 id="nest2">scale, lines
// CHECK: no other order is predicted to be clearly faster
// CHECK: and --poly-parallel lets threads share the work
// CHECK: Only the first iterations of S0 are shown.
// CHECK: None: the iterations may be executed in any order.
//
// CHECK: <h2 id="nest3">find, lines
// CHECK: make it known before the loop how often it runs
// CHECK-NOT: <svg
void product(int n, double C[n][n], double A[n][n], double B[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}
void scale(double A[2000][2000]) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++)
      A[i][j] *= 2;
}
int find(const int *a, int x) {
  int i = 0;
  while (a[i] != x)
    i++;
  return i;
}
