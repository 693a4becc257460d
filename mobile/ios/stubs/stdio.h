#ifndef STUB_STDIO_H
#define STUB_STDIO_H
#endif
