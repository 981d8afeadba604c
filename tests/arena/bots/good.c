/* Takes the first legal action by plain text search: all a bot needs is a line in and a line out. */
#include <stdio.h>
#include <string.h>

static char line[1 << 20];

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 1 << 16);
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\"legal\":[\"");
        if (strncmp(line, "{\"type\":\"start\"", 15) == 0) {
            puts("{\"type\":\"ready\"}");
        } else if (legal) {
            char *from = legal + 10, *to = strchr(from, '"');
            printf("{\"action\":\"%.*s\"}\n", (int)(to - from), from);
        } else {
            return 0;
        }
    }
    return 0;
}
