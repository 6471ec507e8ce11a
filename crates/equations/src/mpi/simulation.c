/* A model of ranks and of the network between them, in one process: it computes the tiles once, in their order, to know how
   long each takes, and finds out for numbers of ranks when every rank would have done its own. */

typedef int MPI_Comm;
#define MPI_Abort(comm, code) exit(code)

struct poly_problem;

/* What one rank gets of a tile. */
struct poly_message { int rank, received; int64_t bytes; double arrives; };

struct poly_tile {
  int64_t at[POLY_PLACE];
  int block, rank;
  int64_t first, messages;      /* in the list of all messages */
};

struct poly_run {
  const struct poly_problem *problem;
  int me, ranks, grid[2];
  struct poly_tile *tiles;
  int64_t count, room, current;
  const void **last;            /* for each rank: the last element that it needs */
  int64_t *bytes;               /* for each rank: what it is about to get */
  double *clock, *link;         /* for each rank: until when it, and its way to the network, have work */
  struct poly_message *all;
  int64_t all_count, all_room;
  double ready;                 /* when what the current tile needs has arrived */
  int64_t received;             /* messages that it has to take */
};

/* Seconds until a message arrives, for each byte, and for a rank to send or take one. */
static double poly_latency, poly_byte, poly_overhead;
static int poly_rank_counts, *poly_ranks;

#include "tiles.c"

static inline void poly_element(struct poly_run *poly, const void *cell, size_t size, int rank) {
  if (poly->last[rank] == cell) return;
  poly->last[rank] = cell;
  if (rank != poly->me) poly->bytes[rank] += (int64_t)size;
}

/* A tile that the current one may need. */
static void poly_need(struct poly_run *poly, const int64_t *at) {
  struct poly_tile wanted;
  memcpy(wanted.at, at, sizeof wanted.at);
  const struct poly_tile *found = bsearch(&wanted, poly->tiles, (size_t)poly->count, sizeof wanted, poly_order);
  if (!found || found - poly->tiles >= poly->current) return;
  for (int64_t k = found->first; k < found->first + found->messages; k++) {
    struct poly_message *message = &poly->all[k];
    if (message->rank != poly->me || message->received) continue;
    message->received = 1;
    poly->received++;
    if (message->arrives > poly->ready) poly->ready = message->arrives;
  }
}

/* Seconds that this process has had: what others do meanwhile is not the tiles' time. */
static double poly_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* As square as possible, the longer side first, as MPI_Dims_create does it. */
static void poly_shape(struct poly_run *poly) {
  int columns = 1;
  for (int k = 2; POLY_GRID == 2 && (int64_t)k * k <= poly->ranks; k++)
    if (poly->ranks % k == 0) columns = k;
  poly->grid[0] = poly->ranks / columns;
  poly->grid[1] = columns;
}

/* A tile: what it waits for, its work, and the messages that leave it. */
static void poly_step(struct poly_run *poly, int64_t number, double seconds) {
  struct poly_tile *tile = &poly->tiles[number];
  poly->me = tile->rank;
  poly->current = number;
  poly->ready = 0;
  poly->received = 0;
  poly_sources(poly, tile->block, tile->at);
  double *clock = &poly->clock[poly->me], *link = &poly->link[poly->me];
  if (poly->ready > *clock) *clock = poly->ready;
  *clock += (double)poly->received * poly_overhead + seconds;
  memset(poly->last, 0, (size_t)poly->ranks * sizeof *poly->last);
  memset(poly->bytes, 0, (size_t)poly->ranks * sizeof *poly->bytes);
  poly_flow(poly, tile->block, tile->at);
  tile->first = poly->all_count;
  for (int rank = 0; rank < poly->ranks; rank++) {
    if (poly->bytes[rank] == 0) continue;
    if (poly->all_count == poly->all_room) {
      poly->all_room = 2 * poly->all_room + 256;
      poly->all = poly_memory(poly, poly->all, (size_t)poly->all_room * sizeof *poly->all);
    }
    *clock += poly_overhead;
    if (*clock > *link) *link = *clock;
    *link += (double)poly->bytes[rank] * poly_byte;
    poly->all[poly->all_count++] = (struct poly_message){rank, 0, poly->bytes[rank], *link + poly_latency};
    tile->messages++;
  }
}

/* Everything, for a number of ranks: prints it with the seconds, messages and bytes. */
static void poly_simulate(struct poly_run *poly, const double *seconds) {
  poly->all_count = 0;
  size_t ranks = (size_t)poly->ranks;
  poly->last = poly_memory(poly, poly->last, ranks * sizeof *poly->last);
  poly->bytes = poly_memory(poly, poly->bytes, ranks * sizeof *poly->bytes);
  poly->clock = poly_memory(poly, poly->clock, ranks * sizeof *poly->clock);
  poly->link = poly_memory(poly, poly->link, ranks * sizeof *poly->link);
  for (size_t k = 0; k < ranks; k++) poly->clock[k] = poly->link[k] = 0;
  for (int64_t k = 0; k < poly->count; k++) poly_step(poly, k, seconds[k]);
  /* Rank 0 gets the outputs. */
  int64_t bytes = 0;
  double end = 0;
  for (int64_t k = 0; k < poly->all_count; k++) {
    struct poly_message *message = &poly->all[k];
    bytes += message->bytes;
    if (message->rank != 0 || message->received) continue;
    if (message->arrives > poly->clock[0]) poly->clock[0] = message->arrives;
    poly->clock[0] += poly_overhead;
  }
  for (size_t k = 0; k < ranks; k++)
    if (poly->clock[k] > end) end = poly->clock[k];
  printf("%d %.9g %lld %lld\n", poly->ranks, end, (long long)poly->all_count, (long long)bytes);
}

static int poly_start(MPI_Comm comm, const struct poly_problem *problem) {
  struct poly_run run, *poly = &run;
  memset(poly, 0, sizeof run);
  (void)comm;
  poly->problem = problem;
  double *seconds = NULL, all = 0;
  for (int number = 0; number < poly_rank_counts; number++) {
    poly->ranks = poly_ranks[number];
    poly_shape(poly);
    poly->count = 0;
    poly_tiles(poly);
    if (poly->count) qsort(poly->tiles, (size_t)poly->count, sizeof *poly->tiles, poly_order);
    if (!seconds) {
      seconds = poly_memory(poly, NULL, (size_t)poly->count * sizeof *seconds);
      for (int64_t k = 0; k < poly->count; k++) {
        double start = poly_now();
        poly_compute(poly, poly->tiles[k].block, poly->tiles[k].at);
        all += seconds[k] = poly_now() - start;
      }
      printf("%lld %.9g\n", (long long)poly->count, all);
    }
    poly_simulate(poly, seconds);
  }
  free(seconds);
  free(poly->tiles);
  free(poly->last);
  free(poly->bytes);
  free(poly->clock);
  free(poly->link);
  free(poly->all);
  return 0;
}
