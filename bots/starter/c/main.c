/* A bot for any of the games, in C: it answers with the first legal action.
 * One line in, one line out; stdout belongs to the referee, stderr to you. */
#include <stdio.h>
#include <string.h>

#define LONGEST_LINE (1 << 17) /* the referee sends 64 KiB at most */

static char line[LONGEST_LINE];

/* The end of the JSON string that begins at `at`: its closing quote, or the end of the text. */
static const char *string_end(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return at;
}

/* The first string in the value of a key of the outermost object, as it stands in the text; its length in `length`.
 * Keys of the same name further inside (an observation may have its own "legal") are passed over. */
static const char *first_text(const char *text, const char *key, int *length) {
    int depth = 0, found = 0;
    for (const char *at = text; *at; at++) {
        if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']') {
            depth--;
        } else if (*at == '"') {
            const char *end = string_end(at);
            int size = (int)(end - at) - 1;
            if (!*end)
                return NULL;
            if (found) {
                *length = size;
                return at + 1;
            }
            found = depth == 1 && end[1] == ':' && size == (int)strlen(key) && !strncmp(at + 1, key, size);
            at = end;
        }
    }
    return NULL;
}

int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        int length = 0;
        const char *type = first_text(line, "type", &length);
        if (!type)
            continue;
        if (!strncmp(type, "start\"", 6)) {
            puts("{\"type\":\"ready\"}");
        } else if (!strncmp(type, "act\"", 4)) {
            const char *action = first_text(line, "legal", &length);
            if (!action)
                return 1;
            printf("{\"action\":\"%.*s\"}\n", length, action);
        } else {
            return 0;
        }
        fflush(stdout);
    }
    return 0;
}
