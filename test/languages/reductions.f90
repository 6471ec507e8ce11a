! Reductions with fewer operations in Fortran: loops, sections under SUM, conditions. The program
! prints the same with Poly as without.

! RUN: %flang -O3 %s -o %t.plain
! RUN: %flang -O3 -fpass-plugin=%poly -Rpass=poly %s -o %t.poly 2> %t.remarks
! RUN: %t.plain > %t.expected
! RUN: %t.poly > %t.got
! RUN: cmp %t.expected %t.got
! RUN: %FileCheck %s < %t.remarks
! REQUIRES: flang

module fewer
  implicit none
contains

  ! R1.
  subroutine prefix(n, y, x)
    integer, intent(in) :: n
    integer :: y(n), x(n)
    integer :: i, j, total
    ! CHECK-DAG: reductions.f90:[[@LINE+1]]:{{[0-9]+}}: remark: {{.*}}reduction into {{.*}} from degree 2 to 1
    do i = 1, n
      total = 0
      do j = 1, i
        total = total + x(j)
      end do
      y(i) = total
    end do
  end subroutine

  ! R3.
  subroutine box(n, r, y, x)
    integer, intent(in) :: n, r
    integer :: y(n, n), x(n + r, n + r)
    integer :: i, j, a, b, total
    ! CHECK-DAG: reductions.f90:[[@LINE+2]]:{{[0-9]+}}: remark: {{.*}}reduction into {{.*}} from degree 4 to 2
    do j = 1, n
      do i = 1, n
        total = 0
        do b = 0, r - 1
          do a = 0, r - 1
            total = total + x(i + a, j + b)
          end do
        end do
        y(i, j) = total
      end do
    end do
  end subroutine

  ! R7.
  subroutine rectangles(n, y, a)
    integer, intent(in) :: n
    integer :: y(n), a(n, n)
    integer :: i, j, k, most
    ! CHECK-DAG: reductions.f90:[[@LINE+1]]:{{[0-9]+}}: remark: {{.*}}reduction into {{.*}} from degree 3 to 2
    do i = 1, n
      most = a(1, 1)
      do j = 1, i
        do k = 1, n - i + 1
          most = max(most, a(k, j))
        end do
      end do
      y(i) = most
    end do
  end subroutine

  ! R12, without the sweep.
  subroutine classes(n, k, sums, names, x)
    integer, intent(in) :: n, k
    integer :: sums(k, n), names(n), x(n)
    integer :: i, j, c, total
    ! CHECK-DAG: reductions.f90:[[@LINE+2]]:{{[0-9]+}}: remark: {{.*}}reduction into {{.*}} from degree 3 to 2
    do i = 1, n
      do c = 1, k
        total = 0
        do j = 1, n
          if (j /= i) then
            if (names(j) == c) total = total + x(j)
          end if
        end do
        sums(c, i) = total
      end do
    end do
  end subroutine
end module

program test
  use fewer
  implicit none
  integer, parameter :: n = 200, k = 9
  integer :: x(n), y(n), names(n), sums(k, n), a(n, n), image(n, n), wide(n + 20, n + 20), i, j, r
  do i = 1, n
    x(i) = mod(i * 37 + 11, 101) - 50
    names(i) = mod(i * 7 + i * i, k + 2)
    do j = 1, n
      a(j, i) = mod(i * 13 + j * 29, 997) - 400
    end do
  end do
  do i = 1, n + 20
    do j = 1, n + 20
      wide(j, i) = mod(i * 17 + j * 5, 91) - 45
    end do
  end do
  call prefix(n, y, x)
  print *, y
  do r = 1, 19, 6
    call box(n, r, image, wide)
    print *, sum(image), image(1, 1), image(n, n), image(17, 91)
  end do
  call rectangles(n, y, a)
  print *, y
  call classes(n, k, sums, names, x)
  print *, sums
end program
