"""Programs in which something is deep or long: `deep.py SHAPE NUMBER` prints C."""

import sys


def lines(text, number):
    return "".join(text % {"k": k} for k in range(number))


def nest(number):
    loops = lines("for (int i%(k)d = 0; i%(k)d < n; i%(k)d++) {\n  a[i%(k)d] += %(k)d;\n", number)
    return "void f(int n, double *a) {\n" + loops + "}\n" * number + "}\n"


def perfect_nest(number):
    loops = lines("for (int i%(k)d = 0; i%(k)d < 2; i%(k)d++)\n", number)
    return "void f(int *a) {\n" + loops + "a[i0 + i%d] += 1;\n}\n" % (number - 1)


def in_loop(parameters, body):
    return "void f(int n, %s) {\nfor (int i = 0; i < n; i++) {\n%s}\n}\n" % (parameters, body)


def chain(number):
    body = "double x = b[i];\n" + lines("x = x * b[i + %(k)d] + 0.5;\n", number) + "a[i] = x;\n"
    return in_loop("double *restrict a, double *restrict b", body)


def integers(number):
    return in_loop("int *a, int s", "int x = i;\n" + lines("x = (x ^ %(k)d) * s + 5;\n", number) + "a[i] = x;\n")


def branches(number):
    return in_loop("double *a, int *c", lines("if (c[i + %(k)d]) {\na[i] += %(k)d;\n", number) + "}\n" * number)


def conditions(number):
    return in_loop("int m, double *a", lines("if (3 * i != m + %(k)d) {\na[i] += %(k)d;\n", number) + "}\n" * number)


def bound(number):
    before = "long m = n;\n" + lines("m = (m < c[%(k)d] ? m : c[%(k)d]) * 3;\n", number)
    loops = "for (long i = 0; i < m; i++)\nfor (long j = i; j < m; j++)\na[i * m + j] += 1;\n"
    return "void f(long n, double *a, long *restrict c) {\n" + before + loops + "}\n"


def loops(number):
    return "void f(int n, double *a) {\n" + lines("for (int i = 0; i < n; i++)\n  a[i + %(k)d] += 1;\n", number) + "}\n"


SHAPES = [nest, perfect_nest, chain, integers, branches, conditions, bound, loops]

if __name__ == "__main__":
    print({shape.__name__: shape for shape in SHAPES}[sys.argv[1]](int(sys.argv[2])))
