! Procedures of Fortran: their names and their lines.
! REQUIRES: poly, flang
! RUN: %program-poly explain %s -- --poly-plugin=%poly --poly-clang=%flang --poly-opts=machine=x86-64-v3 | %FileCheck %s
! CHECK: matrices::product, 3 loops: optimized
! CHECK: do i = 1, n
! CHECK-NEXT: c(i, j) = c(i, j) + a(i, k) * b(k, j)
module matrices
contains
  subroutine product(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), b(n, n)
    real(8), intent(inout) :: c(n, n)
    integer :: i, j, k
    do j = 1, n
      do k = 1, n
        do i = 1, n
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine
end module
