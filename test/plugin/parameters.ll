; Parameters of the passes are read, checked and printed back.

; RUN: %opt %loadpoly -passes='poly' -print-pipeline-passes -disable-output %s | %FileCheck --check-prefix=PLAIN %s
; PLAIN: function(poly)

; RUN: %opt %loadpoly -passes='poly<fuse=no;no-parallel;tile=true;tile-sizes=32:8;only-func=f:g*>,dce' -print-pipeline-passes -disable-output %s | %FileCheck --check-prefix=GIVEN %s
; GIVEN: function(poly<only-func=f:g*;tile;tile-sizes=32:8;no-parallel;fuse=no>,dce)

; RUN: %opt %loadpoly -passes='print<poly-scops>,print<poly-ast;force>' -print-pipeline-passes -disable-output %s | %FileCheck --check-prefix=PRINTERS %s
; PRINTERS: function(print<poly-scops>,print<poly-ast;force>)

; What is printed back can be read.
; RUN: %opt %loadpoly -passes='function(poly<only-func=f:g*;tile;tile-sizes=32:8;no-parallel;fuse=no>,dce)' -print-pipeline-passes -disable-output %s | %FileCheck --check-prefix=GIVEN %s

; RUN: %not %opt %loadpoly -passes='poly<tiel>' -disable-output %s 2>&1 | %FileCheck --check-prefix=UNKNOWN %s
; UNKNOWN: error: poly: unknown option 'tiel'; there are: enable, only-func, {{.*}}tile, tile-sizes, parametric-tiles, block, block-size, pack-blocks, time-tile, wavefront, lanes, strip-fusion, diamond, register-tile, register-tile-sizes, pack, parallel,
; UNKNOWN-NOT: debug-panic

; RUN: %not %opt %loadpoly -passes='poly<fuse=seldom>' -disable-output %s 2>&1 | %FileCheck --check-prefix=VALUE %s
; VALUE: error: poly: wrong value 'seldom' for option 'fuse': expected one of max, smart, no

; RUN: %not %opt %loadpoly -passes='poly<fuse>' -disable-output %s 2>&1 | %FileCheck --check-prefix=NOVALUE %s
; NOVALUE: error: poly: option 'fuse' needs a value: fuse=max|smart|no

; RUN: %not %opt %loadpoly -passes='print<poly-scop>' -disable-output %s 2>&1 | %FileCheck --check-prefix=PRINTER %s
; PRINTER: error: poly: unknown printer 'print<poly-scop>'; there are: print<poly-scops>, print<poly-dependences>, print<poly-schedule>, print<poly-ast>

define void @f() {
  ret void
}
