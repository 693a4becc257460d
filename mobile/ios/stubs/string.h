#ifndef STUB_STRING_H
#define STUB_STRING_H
#include <stddef.h>
void *memcpy(void *to, const void *from, size_t count);
size_t strlen(const char *text);
#endif
