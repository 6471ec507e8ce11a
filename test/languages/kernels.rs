// Kernels in safe Rust, with bounds checks. The program prints the same with Poly as without, also where a check fails.

// RUN: %rustc -C opt-level=3 %s -o %t.plain
// RUN: env RUSTC_BOOTSTRAP=1 POLY_LOG=debug POLY_OPTS='force;process-unprofitable' %rustc -C opt-level=3 -C codegen-units=1 -Zllvm-plugins=%poly %s -o %t.poly 2> %t.log
// RUN: %t.plain > %t.expected 2> %t.messages
// RUN: %t.poly > %t.got 2> %t.messages
// RUN: cmp %t.expected %t.got
// RUN: %FileCheck %s < %t.log
// REQUIRES: rustc

// CHECK-DAG: planned scop="{{.*}}gemm{{.*}} report=3 loops
// CHECK-DAG: planned scop="{{.*}}mvt{{.*}} report=4 loops
// CHECK-DAG: planned scop="{{.*}}transpose{{.*}} report=2 loops
// CHECK-DAG: planned scop="{{.*}}jacobi{{.*}} report=4 loops
// CHECK-DAG: planned scop="{{.*}}syrk{{.*}} report={{[23]}} loops
// CHECK-DAG: planned scop="{{.*}}axpy{{.*}} report=1 loop,
// CHECK-DAG: planned scop="{{.*}}columns{{.*}} report=2 loops
// CHECK-DAG: planned scop="{{.*}}floyd{{.*}} report=3 loops
// CHECK-DAG: planned scop="{{.*}}stencil{{.*}} report=2 loops
// CHECK-DAG: planned scop="{{.*}}outer{{.*}} report=2 loops

#[inline(never)]
fn gemm(n: usize, c: &mut [f64], a: &[f64], b: &[f64]) {
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
}

#[inline(never)]
fn mvt(n: usize, x: &mut [f64], y: &mut [f64], a: &[f64]) {
    for i in 0..n {
        for j in 0..n {
            x[i] += a[i * n + j] * y[j];
        }
    }
    for i in 0..n {
        for j in 0..n {
            y[i] += a[j * n + i] * x[j];
        }
    }
}

#[inline(never)]
fn transpose(n: usize, a: &mut [f64], b: &[f64]) {
    for i in 0..n {
        for j in 0..n {
            a[i * n + j] = b[j * n + i];
        }
    }
}

#[inline(never)]
fn jacobi(steps: usize, a: &mut [[f64; 40]; 40], b: &mut [[f64; 40]; 40]) {
    for _ in 0..steps {
        for i in 1..39 {
            for j in 1..39 {
                b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
            }
        }
        for i in 1..39 {
            for j in 1..39 {
                a[i][j] = b[i][j];
            }
        }
    }
}

#[inline(never)]
fn syrk(n: usize, c: &mut [[f64; 40]; 40], a: &[[f64; 40]; 40]) {
    for i in 0..n {
        for j in 0..i + 1 {
            for k in 0..n {
                c[i][j] += a[i][k] * a[j][k];
            }
        }
    }
}

#[inline(never)]
fn axpy(n: usize, x: f64, a: &mut [f64], b: &[f64]) {
    for i in 0..n {
        a[i] += x * b[i];
    }
}

#[inline(never)]
fn columns(n: usize, m: usize, sums: &mut [f64], a: &[f64]) {
    for j in 0..m {
        for i in 0..n {
            sums[j] += a[i * m + j];
        }
    }
}

#[inline(never)]
fn floyd(n: usize, d: &mut [i32]) {
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                let through = d[i * n + k].wrapping_add(d[k * n + j]);
                if through < d[i * n + j] {
                    d[i * n + j] = through;
                }
            }
        }
    }
}

#[inline(never)]
fn stencil(n: usize, a: &mut [f64], b: &[f64]) {
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            a[i * n + j] = b[i * n + j - 1] + b[i * n + j + 1] + b[(i - 1) * n + j] + b[(i + 1) * n + j];
        }
    }
}

#[inline(never)]
fn outer(n: usize, m: usize, a: &mut [f64], x: &[f64], y: &[f64]) {
    for j in 0..m {
        for i in 0..n {
            a[i * m + j] += x[i] * y[j];
        }
    }
}

fn start(count: usize, seed: usize) -> Vec<f64> {
    (0..count).map(|i| ((i * 37 + seed * 11) % 101) as f64 * 0.25 - 12.0).collect()
}

fn show(label: &str, values: &[f64]) {
    let mut sum: u64 = 0;
    for v in values {
        sum = sum.wrapping_mul(31).wrapping_add(v.to_bits());
    }
    println!("{label}: {sum:x}");
}

fn main() {
    let hidden = |value: usize| std::hint::black_box(value);
    for n in [0, 1, 7, 40] {
        let n = hidden(n);
        let mut a = start(1600, 1);
        let b = start(1600, 2);
        let c = start(1600, 3);
        gemm(n, &mut a, &b, &c);
        show("gemm", &a);
        let (mut x, mut y) = (start(40, 4), start(40, 5));
        mvt(n, &mut x, &mut y, &b);
        show("mvt", &x);
        show("mvt", &y);
        transpose(n, &mut a, &b);
        show("transpose", &a);
        let mut s = [[1.5; 40]; 40];
        let mut t = [[0.0; 40]; 40];
        for i in 0..40 {
            for j in 0..40 {
                s[i][j] = b[i * 40 + j];
            }
        }
        jacobi(n / 4, &mut s, &mut t);
        show("jacobi", &s.concat());
        syrk(n, &mut t, &s);
        show("syrk", &t.concat());
        axpy(n * n, 0.5, &mut a, &b);
        show("axpy", &a);
        columns(n, n / 2 + 1, &mut x, &b);
        show("columns", &x);
        let mut d: Vec<i32> = (0..1600).map(|i| (i * 37 % 101) + 1).collect();
        floyd(n, &mut d);
        show("floyd", &d.iter().map(|&v| f64::from(v)).collect::<Vec<f64>>());
        if n > 1 {
            stencil(n, &mut a, &b);
            show("stencil", &a);
        }
        outer(n, n / 2 + 1, &mut a, &x, &y);
        show("outer", &a);
    }
    // One element too few: the original panics where it always did.
    let n = hidden(20);
    let mut a = start(399, 1);
    let b = start(400, 2);
    let c = start(400, 3);
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| gemm(n, &mut a, &b, &c)));
    println!("{}", result.is_err());
    show("gemm", &a);
}
