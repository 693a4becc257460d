#ifndef STUB_OBJC_H
#define STUB_OBJC_H
#include <stdbool.h>
typedef bool BOOL;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((void *)0)
#endif
