/* Written for each system. */
static void poly_tiles(struct poly_run *poly);
static void poly_compute(const struct poly_run *poly, int block, const int64_t *at);
static void poly_flow(struct poly_run *poly, int block, const int64_t *at);
static void poly_sources(struct poly_run *poly, int block, const int64_t *at);

static void *poly_memory(const struct poly_run *poly, void *old, size_t size) {
  void *memory = realloc(old, size ? size : 1);
  if (!memory) MPI_Abort(poly->comm, 1);
  return memory;
}

/* The rank at a point of the grid; tiles are dealt out in turn. */
static inline int poly_rank(const struct poly_run *poly, int64_t a, int64_t b) {
  int64_t row = a % poly->grid[0], column = b % poly->grid[1];
  if (row < 0) row += poly->grid[0];
  if (column < 0) column += poly->grid[1];
  return (int)(row * poly->grid[1] + column);
}

static void poly_add_tile(struct poly_run *poly, int block, int rank, const int64_t *at) {
  if (poly->count == poly->room) {
    poly->room = 2 * poly->room + 16;
    poly->tiles = poly_memory(poly, poly->tiles, (size_t)poly->room * sizeof *poly->tiles);
  }
  struct poly_tile *tile = &poly->tiles[poly->count++];
  memset(tile, 0, sizeof *tile);
  memcpy(tile->at, at, sizeof tile->at);
  tile->block = block;
  tile->rank = rank;
}

static int poly_order(const void *a, const void *b) {
  const int64_t *x = ((const struct poly_tile *)a)->at, *y = ((const struct poly_tile *)b)->at;
  for (int k = 0; k < POLY_PLACE; k++)
    if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
  return 0;
}
