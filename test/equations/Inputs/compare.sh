#!/bin/sh
# compare.sh POLY CFG [SIZE STEPS ROUNDS]: times of C from equations beside C written by hand, both
# compiled with Poly. POLY is the program `poly`, CFG the file poly.cfg beside libpoly.so.
set -e
poly=$1 cfg=$2 size=${3:-1000} steps=${4:-200} rounds=${5:-7}
here=$(dirname "$0")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
flags="--config=$cfg -O3 -march=native -fwrapv -ffp-contract=off -falign-functions=64 -falign-loops=64"
for k in gemm lu lu_packed jacobi2d nussinov; do
  "$poly" eq c "$here/../../../examples/equations/$k.eq" -o "$out/$k.c"
  "$poly" eq header "$here/../../../examples/equations/$k.eq" -o "$out/$k.h"
  "${CLANG:-clang-19}" $flags -c "$out/$k.c" -o "$out/$k.o"
done
"${CLANG:-clang-19}" $flags -c "$here/kernels.c" -o "$out/kernels.o"
"${CLANG:-clang-19}" -O2 "$here/compare.c" "$out"/*.o -o "$out/compare" -lm
for k in gemm lu lu_packed jacobi2d nussinov; do "$out/compare" $k $size $steps $rounds; done
