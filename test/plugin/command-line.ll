; Options on opt's command line.

; RUN: %opt %loadpoly --help | %FileCheck --check-prefix=HELP %s
; HELP: Poly options:
; HELP-DAG: --poly-fuse=<max|smart|no|search>
; HELP-DAG: --poly-parallel[=<true|false>]
; HELP-NOT: --poly-debug-panic

; RUN: %opt %loadpoly -passes=poly -poly-debug-panic=detect -pass-remarks-missed=poly -disable-output %s 2>&1 | %FileCheck --check-prefix=GIVEN %s
; GIVEN: internal error

; Parameters of the pass win.
; RUN: %opt %loadpoly -passes='poly<disable>' -poly-enable -poly-debug-panic=detect -pass-remarks-missed=poly -disable-output %s 2>&1 | count 0

; RUN: %not %opt %loadpoly -passes=poly -poly-tile=maybe -disable-output %s 2>&1 | %FileCheck --check-prefix=VALUE %s
; VALUE: for the --poly-tile option: wrong value 'maybe' for option 'tile': expected true or false

define void @f(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i64, ptr %p, i64 %i
  store i64 %i, ptr %a
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, 100
  br i1 %more, label %loop, label %end
end:
  ret void
}
