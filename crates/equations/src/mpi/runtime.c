/* What all systems share: tiles, messages, and the order in which a rank works. */

struct poly_problem;

/* A tile: its place in the order, its rank, and what has become of the message that its rank sends to this one. */
struct poly_tile {
  int64_t at[POLY_PLACE];
  int block, rank, state, size;
  char *message;
  MPI_Request request;
};

enum { POLY_NEW, POLY_POSTED, POLY_DONE };             /* states of a message */
enum { POLY_COUNT_BYTES, POLY_PACK, POLY_UNPACK };     /* what is done with the elements that leave a tile */

struct poly_buffer { char *bytes; size_t size, room; MPI_Request request; };

struct poly_run {
  const struct poly_problem *problem;
  MPI_Comm comm;
  int me, ranks, grid[2];
  struct poly_tile *tiles;      /* of all ranks, in order */
  int64_t count, room, current; /* tiles; the one whose sources are asked for */
  int take;                     /* wait for messages; otherwise only get ready for them */
  int action;
  const void **last;            /* for each rank: the last element that it needs */
  struct poly_buffer *out;      /* for each rank: what it is about to get */
  struct poly_buffer *sent;     /* messages on their way */
  size_t sent_count, sent_room;
  size_t bytes;                 /* counted, or unpacked so far */
  const char *in;
  int64_t elements;             /* sent by this rank */
};

#include "tiles.c"

/* An element of a tile that a rank needs. The ranks of one element come together, so each gets it once. */
static inline void poly_element(struct poly_run *poly, void *cell, size_t size, int rank) {
  if (poly->last[rank] == cell) return;
  poly->last[rank] = cell;
  if (poly->action == POLY_PACK) {
    if (rank == poly->me) return;
    struct poly_buffer *to = &poly->out[rank];
    if (to->size + size > to->room) {
      to->room = 2 * to->room + 256;
      to->bytes = poly_memory(poly, to->bytes, to->room);
    }
    memcpy(to->bytes + to->size, cell, size);
    to->size += size;
    poly->elements++;
  } else if (rank == poly->me) {
    if (poly->action == POLY_UNPACK) memcpy(cell, poly->in + poly->bytes, size);
    poly->bytes += size;
  }
}

static void poly_visit(struct poly_run *poly, const struct poly_tile *tile, int action) {
  memset(poly->last, 0, (size_t)poly->ranks * sizeof *poly->last);
  poly->action = action;
  poly->bytes = 0;
  poly_flow(poly, tile->block, tile->at);
}

/* Gets ready for the message of a tile of another rank, and with `take` waits for it. */
static void poly_receive(struct poly_run *poly, int64_t number) {
  struct poly_tile *tile = &poly->tiles[number];
  if (tile->rank == poly->me || tile->state == POLY_DONE) return;
  if (tile->state == POLY_NEW) {
    poly_visit(poly, tile, POLY_COUNT_BYTES);
    if (poly->bytes == 0) {
      tile->state = POLY_DONE;
      return;
    }
    if (poly->bytes > INT_MAX) MPI_Abort(poly->comm, 2);
    tile->size = (int)poly->bytes;
    tile->message = poly_memory(poly, NULL, poly->bytes);
    MPI_Irecv(tile->message, tile->size, MPI_BYTE, tile->rank, (int)number, poly->comm, &tile->request);
    tile->state = POLY_POSTED;
  }
  if (!poly->take) return;
  MPI_Wait(&tile->request, MPI_STATUS_IGNORE);
  poly->in = tile->message;
  poly_visit(poly, tile, POLY_UNPACK);
  free(tile->message);
  tile->message = NULL;
  tile->state = POLY_DONE;
}

/* A tile that the current one may need. */
static void poly_need(struct poly_run *poly, const int64_t *at) {
  struct poly_tile wanted;
  memcpy(wanted.at, at, sizeof wanted.at);
  const struct poly_tile *found = bsearch(&wanted, poly->tiles, (size_t)poly->count, sizeof wanted, poly_order);
  if (found && found - poly->tiles < poly->current) poly_receive(poly, found - poly->tiles);
}

static void poly_get(struct poly_run *poly, int64_t number, int take) {
  poly->current = number;
  poly->take = take;
  poly_sources(poly, poly->tiles[number].block, poly->tiles[number].at);
}

/* Forgets messages that have arrived. */
static void poly_forget(struct poly_run *poly) {
  size_t kept = 0;
  for (size_t k = 0; k < poly->sent_count; k++) {
    int arrived = 0;
    MPI_Test(&poly->sent[k].request, &arrived, MPI_STATUS_IGNORE);
    if (arrived) free(poly->sent[k].bytes);
    else poly->sent[kept++] = poly->sent[k];
  }
  poly->sent_count = kept;
}

static void poly_send(struct poly_run *poly, int64_t number) {
  poly_visit(poly, &poly->tiles[number], POLY_PACK);
  for (int rank = 0; rank < poly->ranks; rank++) {
    struct poly_buffer *to = &poly->out[rank];
    if (to->size == 0) continue;
    if (to->size > INT_MAX) MPI_Abort(poly->comm, 2);
    if (poly->sent_count == poly->sent_room) {
      poly->sent_room = 2 * poly->sent_room + 16;
      poly->sent = poly_memory(poly, poly->sent, poly->sent_room * sizeof *poly->sent);
    }
    MPI_Isend(to->bytes, (int)to->size, MPI_BYTE, rank, (int)number, poly->comm, &to->request);
    poly->sent[poly->sent_count++] = *to;
    memset(to, 0, sizeof *to);
  }
  poly_forget(poly);
}

static int64_t poly_next(const struct poly_run *poly, int64_t number) {
  do number++;
  while (number < poly->count && poly->tiles[number].rank != poly->me);
  return number;
}

/* Does the tiles of this rank in order; messages for the next one travel meanwhile. */
static void poly_work(struct poly_run *poly) {
  int64_t number = poly_next(poly, -1);
  while (number < poly->count) {
    poly_get(poly, number, 1);
    int64_t next = poly_next(poly, number);
    if (next < poly->count) poly_get(poly, next, 0);
    poly_compute(poly, poly->tiles[number].block, poly->tiles[number].at);
    poly_send(poly, number);
    number = next;
  }
  /* Rank 0 gets the outputs. */
  poly->current = poly->count;
  for (int take = 0; poly->me == 0 && take <= 1; take++) {
    poly->take = take;
    for (int64_t k = 0; k < poly->count; k++) poly_receive(poly, k);
  }
  for (size_t k = 0; k < poly->sent_count; k++) {
    MPI_Wait(&poly->sent[k].request, MPI_STATUS_IGNORE);
    free(poly->sent[k].bytes);
  }
}

#ifdef POLY_COUNT_ELEMENTS
int64_t poly_elements_sent;
#endif

static int poly_start(MPI_Comm comm, const struct poly_problem *problem) {
  struct poly_run run, *poly = &run;
  memset(poly, 0, sizeof run);
  poly->problem = problem;
  MPI_Comm_dup(comm, &poly->comm);
  MPI_Comm_rank(poly->comm, &poly->me);
  MPI_Comm_size(poly->comm, &poly->ranks);
  poly->grid[1] = POLY_GRID == 1;
  MPI_Dims_create(poly->ranks, 2, poly->grid);
  poly_tiles(poly);
  if (poly->count) qsort(poly->tiles, (size_t)poly->count, sizeof *poly->tiles, poly_order);
  int known = 0, *most = NULL;
  MPI_Comm_get_attr(poly->comm, MPI_TAG_UB, &most, &known);
  int status = known && poly->count - 1 > *most ? 2 : 0;
  if (status == 0) {
    poly->last = poly_memory(poly, NULL, (size_t)poly->ranks * sizeof *poly->last);
    poly->out = poly_memory(poly, NULL, (size_t)poly->ranks * sizeof *poly->out);
    memset(poly->out, 0, (size_t)poly->ranks * sizeof *poly->out);
    poly_work(poly);
  }
#ifdef POLY_COUNT_ELEMENTS
  poly_elements_sent = poly->elements;
#endif
  free(poly->tiles);
  free(poly->last);
  free(poly->out);
  free(poly->sent);
  MPI_Comm_free(&poly->comm);
  return status;
}
