//! The loops of PolyBench: statements with what they write and read. Constants and parameters are
//! left out.

/// Name, context and text of each kernel; for [`super::loops::loops`].
pub const KERNELS: &[(&str, &str, &str)] = &[
    ("gemm", N, "
        for i in 0..n {
            for j in 0..n { S: C[i, j] = C[i, j]; }
            for k in 0..n { for j in 0..n { T: C[i, j] = C[i, j], A[i, k], B[k, j]; } }
        }"),
    ("2mm", N, "
        for i in 0..n { for j in 0..n { S: t[i, j] = ; for k in 0..n { T: t[i, j] = t[i, j], A[i, k], B[k, j]; } } }
        for i in 0..n { for j in 0..n { U: D[i, j] = D[i, j]; for k in 0..n { V: D[i, j] = D[i, j], t[i, k], C[k, j]; } } }"),
    ("3mm", N, "
        for i in 0..n { for j in 0..n { S: E[i, j] = ; for k in 0..n { T: E[i, j] = E[i, j], A[i, k], B[k, j]; } } }
        for i in 0..n { for j in 0..n { U: F[i, j] = ; for k in 0..n { V: F[i, j] = F[i, j], C[i, k], D[k, j]; } } }
        for i in 0..n { for j in 0..n { W: G[i, j] = ; for k in 0..n { X: G[i, j] = G[i, j], E[i, k], F[k, j]; } } }"),
    ("atax", N, "
        for i in 0..n { S: y[i] = ; }
        for i in 0..n {
            T: t[i] = ;
            for j in 0..n { U: t[i] = t[i], A[i, j], x[j]; }
            for j in 0..n { V: y[j] = y[j], A[i, j], t[i]; }
        }"),
    ("bicg", N, "
        for i in 0..n { S: s[i] = ; }
        for i in 0..n {
            T: q[i] = ;
            for j in 0..n { U: s[j] = s[j], r[i], A[i, j]; V: q[i] = q[i], A[i, j], p[j]; }
        }"),
    ("mvt", N, "
        for i in 0..n { for j in 0..n { S: x[i] = x[i], A[i, j], u[j]; } }
        for i in 0..n { for j in 0..n { T: y[i] = y[i], A[j, i], v[j]; } }"),
    ("gemver", N, "
        for i in 0..n { for j in 0..n { S: A[i, j] = A[i, j], u[i], v[j], p[i], q[j]; } }
        for i in 0..n { for j in 0..n { T: x[i] = x[i], A[j, i], y[j]; } }
        for i in 0..n { U: x[i] = x[i], z[i]; }
        for i in 0..n { for j in 0..n { V: w[i] = w[i], A[i, j], x[j]; } }"),
    ("gesummv", N, "
        for i in 0..n {
            S: t[i] = ; T: y[i] = ;
            for j in 0..n { U: t[i] = A[i, j], x[j], t[i]; V: y[i] = B[i, j], x[j], y[i]; }
            W: y[i] = t[i], y[i];
        }"),
    ("symm", N, "
        for i in 0..n { for j in 0..n {
            S: t[] = ;
            for k in 0..i { T: C[k, j] = C[k, j], B[i, j], A[i, k]; U: t[] = t[], B[k, j], A[i, k]; }
            V: C[i, j] = C[i, j], B[i, j], A[i, i], t[];
        } }"),
    ("syrk", N, "
        for i in 0..n {
            for j in 0..=i { S: C[i, j] = C[i, j]; }
            for k in 0..n { for j in 0..=i { T: C[i, j] = C[i, j], A[i, k], A[j, k]; } }
        }"),
    ("trmm", N, "
        for i in 0..n { for j in 0..n {
            for k in i + 1..n { S: B[i, j] = B[i, j], A[k, i], B[k, j]; }
            T: B[i, j] = B[i, j];
        } }"),
    ("cholesky", N, "
        for i in 0..n {
            for j in 0..i {
                for k in 0..j { S: A[i, j] = A[i, j], A[i, k], A[j, k]; }
                T: A[i, j] = A[i, j], A[j, j];
            }
            for k in 0..i { U: A[i, i] = A[i, i], A[i, k]; }
            V: A[i, i] = A[i, i];
        }"),
    ("lu", N, "
        for i in 0..n {
            for j in 0..i {
                for k in 0..j { S: A[i, j] = A[i, j], A[i, k], A[k, j]; }
                T: A[i, j] = A[i, j], A[j, j];
            }
            for j in i..n { for k in 0..i { U: A[i, j] = A[i, j], A[i, k], A[k, j]; } }
        }"),
    ("ludcmp", N, "
        for i in 0..n {
            for j in 0..i {
                S: w[] = A[i, j];
                for k in 0..j { T: w[] = w[], A[i, k], A[k, j]; }
                U: A[i, j] = w[], A[j, j];
            }
            for j in i..n {
                V: w[] = A[i, j];
                for k in 0..i { W: w[] = w[], A[i, k], A[k, j]; }
                X: A[i, j] = w[];
            }
        }
        for i in 0..n {
            Y: w[] = b[i];
            for j in 0..i { Z: w[] = w[], A[i, j], y[j]; }
            P: y[i] = w[];
        }
        for i in 0..n {
            Q: w[] = y[n - 1 - i];
            for j in n - i..n { R: w[] = w[], A[n - 1 - i, j], x[j]; }
            O: x[n - 1 - i] = w[], A[n - 1 - i, n - 1 - i];
        }"),
    ("trisolv", N, "
        for i in 0..n {
            S: x[i] = b[i];
            for j in 0..i { T: x[i] = x[i], L[i, j], x[j]; }
            U: x[i] = x[i], L[i, i];
        }"),
    ("durbin", N, "
        S: y[0] = r[0]; B: b[] = ; A: a[] = r[0];
        for k in 1..n {
            T: b[] = a[], b[];
            U: s[] = ;
            for i in 0..k { V: s[] = s[], r[k - i - 1], y[i]; }
            W: a[] = r[k], s[], b[];
            for i in 0..k { X: z[i] = y[i], a[], y[k - i - 1]; }
            for i in 0..k { Y: y[i] = z[i]; }
            Z: y[k] = a[];
        }"),
    ("gramschmidt", N, "
        for k in 0..n {
            S: m[] = ;
            for i in 0..n { T: m[] = m[], A[i, k]; }
            U: R[k, k] = m[];
            for i in 0..n { V: Q[i, k] = A[i, k], R[k, k]; }
            for j in k + 1..n {
                W: R[k, j] = ;
                for i in 0..n { X: R[k, j] = R[k, j], Q[i, k], A[i, j]; }
                for i in 0..n { Y: A[i, j] = A[i, j], Q[i, k], R[k, j]; }
            }
        }"),
    ("correlation", N, "
        for j in 0..n { S: m[j] = ; for i in 0..n { T: m[j] = m[j], d[i, j]; } U: m[j] = m[j]; }
        for j in 0..n { V: s[j] = ; for i in 0..n { W: s[j] = s[j], d[i, j], m[j]; } X: s[j] = s[j]; }
        for i in 0..n { for j in 0..n { Y: d[i, j] = d[i, j], m[j]; Z: d[i, j] = d[i, j], s[j]; } }
        for i in 0..n - 1 {
            P: c[i, i] = ;
            for j in i + 1..n {
                Q: c[i, j] = ;
                for k in 0..n { R: c[i, j] = c[i, j], d[k, i], d[k, j]; }
                O: c[j, i] = c[i, j];
            }
        }
        L: c[n - 1, n - 1] = ;"),
    ("covariance", N, "
        for j in 0..n { S: m[j] = ; for i in 0..n { T: m[j] = m[j], d[i, j]; } U: m[j] = m[j]; }
        for i in 0..n { for j in 0..n { V: d[i, j] = d[i, j], m[j]; } }
        for i in 0..n { for j in i..n {
            W: c[i, j] = ;
            for k in 0..n { X: c[i, j] = c[i, j], d[k, i], d[k, j]; }
            Y: c[i, j] = c[i, j];
            Z: c[j, i] = c[i, j];
        } }"),
    ("doitgen", N, "
        for r in 0..n { for q in 0..n {
            for p in 0..n { S: s[p] = ; for k in 0..n { T: s[p] = s[p], A[r, q, k], C[k, p]; } }
            for p in 0..n { U: A[r, q, p] = s[p]; }
        } }"),
    ("fdtd-2d", TN, "
        for k in 0..t {
            for j in 0..n { S: y[0, j] = f[k]; }
            for i in 1..n { for j in 0..n { T: y[i, j] = y[i, j], h[i, j], h[i - 1, j]; } }
            for i in 0..n { for j in 1..n { U: x[i, j] = x[i, j], h[i, j], h[i, j - 1]; } }
            for i in 0..n - 1 { for j in 0..n - 1 { V: h[i, j] = h[i, j], x[i, j + 1], x[i, j], y[i + 1, j], y[i, j]; } }
        }"),
    ("jacobi-1d", TN, "
        for k in 0..t {
            for i in 1..n - 1 { S: B[i] = A[i - 1], A[i], A[i + 1]; }
            for i in 1..n - 1 { T: A[i] = B[i - 1], B[i], B[i + 1]; }
        }"),
    ("jacobi-2d", TN, "
        for k in 0..t {
            for i in 1..n - 1 { for j in 1..n - 1 { S: B[i, j] = A[i, j], A[i, j - 1], A[i, j + 1], A[i + 1, j], A[i - 1, j]; } }
            for i in 1..n - 1 { for j in 1..n - 1 { T: A[i, j] = B[i, j], B[i, j - 1], B[i, j + 1], B[i + 1, j], B[i - 1, j]; } }
        }"),
    ("heat-3d", TN, "
        for l in 0..t {
            for i in 1..n - 1 { for j in 1..n - 1 { for k in 1..n - 1 {
                S: B[i, j, k] = A[i + 1, j, k], A[i, j, k], A[i - 1, j, k], A[i, j + 1, k], A[i, j - 1, k], A[i, j, k + 1], A[i, j, k - 1];
            } } }
            for i in 1..n - 1 { for j in 1..n - 1 { for k in 1..n - 1 {
                T: A[i, j, k] = B[i + 1, j, k], B[i, j, k], B[i - 1, j, k], B[i, j + 1, k], B[i, j - 1, k], B[i, j, k + 1], B[i, j, k - 1];
            } } }
        }"),
    ("seidel-2d", TN, "
        for k in 0..t { for i in 1..n - 1 { for j in 1..n - 1 {
            S: A[i, j] = A[i - 1, j - 1], A[i - 1, j], A[i - 1, j + 1], A[i, j - 1], A[i, j], A[i, j + 1],
                A[i + 1, j - 1], A[i + 1, j], A[i + 1, j + 1];
        } } }"),
    ("adi", TN, "
        for k in 1..=t {
            for i in 1..n - 1 {
                S: v[0, i] = ; T: p[i, 0] = ; U: q[i, 0] = v[0, i];
                for j in 1..n - 1 {
                    V: p[i, j] = p[i, j - 1];
                    W: q[i, j] = u[j, i - 1], u[j, i], u[j, i + 1], q[i, j - 1], p[i, j - 1];
                }
                X: v[n - 1, i] = ;
                for j in 1..n - 1 { Y: v[n - 1 - j, i] = p[i, n - 1 - j], v[n - j, i], q[i, n - 1 - j]; }
            }
            for i in 1..n - 1 {
                Z: u[i, 0] = ; A: p[i, 0] = ; B: q[i, 0] = u[i, 0];
                for j in 1..n - 1 {
                    C: p[i, j] = p[i, j - 1];
                    D: q[i, j] = v[i - 1, j], v[i, j], v[i + 1, j], q[i, j - 1], p[i, j - 1];
                }
                E: u[i, n - 1] = ;
                for j in 1..n - 1 { F: u[i, n - 1 - j] = p[i, n - 1 - j], u[i, n - j], q[i, n - 1 - j]; }
            }
        }"),
    ("deriche", N, "
        for i in 0..n {
            A: a[] = ; B: b[] = ; C: c[] = ;
            for j in 0..n { D: y[i, j] = I[i, j], c[], a[], b[]; E: c[] = I[i, j]; F: b[] = a[]; G: a[] = y[i, j]; }
        }
        for i in 0..n {
            H: d[] = ; J: e[] = ; K: f[] = ; L: g[] = ;
            for j in 0..n {
                M: z[i, n - 1 - j] = f[], g[], d[], e[];
                O: g[] = f[]; P: f[] = I[i, n - 1 - j]; Q: e[] = d[]; R: d[] = z[i, n - 1 - j];
            }
        }
        for i in 0..n { for j in 0..n { S: o[i, j] = y[i, j], z[i, j]; } }
        for j in 0..n {
            T: t[] = ; U: a[] = ; V: b[] = ;
            for i in 0..n { W: y[i, j] = o[i, j], t[], a[], b[]; X: t[] = o[i, j]; Y: b[] = a[]; Z: a[] = y[i, j]; }
        }"),
    ("floyd-warshall", N, "
        for k in 0..n { for i in 0..n { for j in 0..n { S: D[i, j] = D[i, j], D[i, k], D[k, j]; } } }"),
    ("nussinov", N, "
        for i in 0..n { for j in n - i..n {
            S: T[n - 1 - i, j] = T[n - 1 - i, j], T[n - 1 - i, j - 1];
            U: T[n - 1 - i, j] = T[n - 1 - i, j], T[n - i, j];
            V: T[n - 1 - i, j] = T[n - 1 - i, j], T[n - i, j - 1];
            for k in n - i..j { W: T[n - 1 - i, j] = T[n - 1 - i, j], T[n - 1 - i, k], T[k + 1, j]; }
        } }"),
];

const N: &str = "[n] -> { : n >= 3 }";
const TN: &str = "[t, n] -> { : t >= 1 and n >= 5 }";
