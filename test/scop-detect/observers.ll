; Calls that read memory: a read of every element of each written array that they may see.
; RUN: %opt %loadpoly -passes='print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s

declare double @look(ptr) memory(read) nounwind willreturn
declare double @look_near(ptr nocapture) memory(argmem: read) nounwind willreturn
declare double @look_and_throw(ptr) memory(read) willreturn
declare double @look_forever(ptr) memory(read) nounwind
declare double @look_together(ptr) memory(read) nounwind willreturn convergent

; CHECK-LABEL: SCoPs of function 'sees':
; CHECK: %[[SEEN:[0-9]+]] = read [n] -> { S0[i0] -> a[o0] }
; CHECK: %[[X:[0-9]+]] = @look {{.*}}%[[SEEN]]
; CHECK: write [n] -> { S0[i0] -> a[i0] } of %[[X]]
define void @sees(i64 %n, ptr %a, ptr noalias %b) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %done

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %b, i64 %i
  %x = call double @look(ptr %p)
  %q = getelementptr inbounds double, ptr %a, i64 %i
  store double %x, ptr %q
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %done, label %loop

done:
  ret void
}

; It sees what its argument points to, which is not written.
; CHECK-LABEL: SCoPs of function 'sees_nothing_new':
; CHECK-NOT: read
; CHECK: = @look_near {{.*}}
; CHECK: write [n] -> { S0[i0] -> a[i0] }
define void @sees_nothing_new(i64 %n, ptr noalias %a, ptr noalias %b) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %done

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %b, i64 %i
  %x = call double @look_near(ptr %p)
  %q = getelementptr inbounds double, ptr %a, i64 %i
  store double %x, ptr %q
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %done, label %loop

done:
  ret void
}

; CHECK-LABEL: SCoPs of function 'may_throw':
; CHECK-NEXT: rejected loop nest: call: the call of 'look_and_throw' may read memory
define void @may_throw(i64 %n, ptr noalias %a, ptr noalias %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = call double @look_and_throw(ptr %b)
  %q = getelementptr inbounds double, ptr %a, i64 %i
  store double %x, ptr %q
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, 100
  br i1 %end, label %done, label %loop

done:
  ret void
}

; CHECK-LABEL: SCoPs of function 'may_not_return':
; CHECK-NEXT: rejected loop nest: call: the call of 'look_forever' may read memory
define void @may_not_return(i64 %n, ptr noalias %a, ptr noalias %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = call double @look_forever(ptr %b)
  %q = getelementptr inbounds double, ptr %a, i64 %i
  store double %x, ptr %q
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, 100
  br i1 %end, label %done, label %loop

done:
  ret void
}

; CHECK-LABEL: SCoPs of function 'convergent_call':
; CHECK-NEXT: rejected loop nest: call: the call of 'look_together' is convergent
define void @convergent_call(i64 %n, ptr noalias %a, ptr noalias %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = call double @look_together(ptr %b)
  %q = getelementptr inbounds double, ptr %a, i64 %i
  store double %x, ptr %q
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, 100
  br i1 %end, label %done, label %loop

done:
  ret void
}
