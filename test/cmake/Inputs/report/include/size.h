#define COLUMNS 700
