// Electromagnetic field in the plane by finite differences in time, with a source along one edge
// poly: optimizes kernel_fdtd_2d
// poly: one scop kernel_fdtd_2d
#include "harness.h"

#define TMAX BY_SIZE(20, 40, 100, 500, 1000)
#define NX BY_SIZE(20, 60, 200, 1000, 2000)
#define NY BY_SIZE(30, 80, 240, 1200, 2600)

KERNEL kernel_fdtd_2d(int tmax, int nx, int ny, double ex[DIM(NX, nx)][DIM(NY, ny)],
                      double ey[DIM(NX, nx)][DIM(NY, ny)], double hz[DIM(NX, nx)][DIM(NY, ny)],
                      double fict[DIM(TMAX, tmax)]) {
  for (int t = 0; t < tmax; t++) {
    for (int j = 0; j < ny; j++)
      ey[0][j] = fict[t];
    for (int i = 1; i < nx; i++)
      for (int j = 0; j < ny; j++)
        ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < nx; i++)
      for (int j = 1; j < ny; j++)
        ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < nx - 1; i++)
      for (int j = 0; j < ny - 1; j++)
        hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
}

static void fill(double ex[NX][NY], double ey[NX][NY], double hz[NX][NY], double fict[TMAX]) {
  for (int i = 0; i < TMAX; i++)
    fict[i] = (double)i;
  for (int i = 0; i < NX; i++)
    for (int j = 0; j < NY; j++) {
      ex[i][j] = (double)i * (j + 1) / NX;
      ey[i][j] = (double)i * (j + 2) / NY;
      hz[i][j] = (double)i * (j + 3) / NX;
    }
}

int main(void) {
  double(*ex)[NX][NY] = allocate(sizeof *ex);
  double(*ey)[NX][NY] = allocate(sizeof *ey);
  double(*hz)[NX][NY] = allocate(sizeof *hz);
  double(*fict)[TMAX] = allocate(sizeof *fict);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*ex, *ey, *hz, *fict);
    start_clock();
    kernel_fdtd_2d(TMAX, NX, NY, *ex, *ey, *hz, *fict);
    stop_clock();
  }
  show_work(11.0 * TMAX * NX * NY, 2 * (sizeof *ex + sizeof *ey + sizeof *hz));
  show_doubles("ex", ex, sizeof *ex);
  show_doubles("ey", ey, sizeof *ey);
  show_doubles("hz", hz, sizeof *hz);
  free(ex);
  free(ey);
  free(hz);
  free(fict);
  return 0;
}
