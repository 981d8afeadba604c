/* A library that fills memory as soon as it is loaded, and then says it will only read it: no limit on data counts it. */
#include <string.h>
#include <sys/mman.h>

#define PIECE (64UL << 20)

__attribute__((constructor)) static void hoard(void) {
    for (int piece = 0; piece < 24; piece++) {
        char *memory = mmap(0, PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return;
        memset(memory, 1, PIECE);
        mprotect(memory, PIECE, PROT_READ);
    }
}
