#include <android/log.h>
#include <stdarg.h>
#include <stdio.h>

int __android_log_print(int priority, const char *tag, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	int written = fprintf(stderr, "%d/%s: ", priority, tag) + vfprintf(stderr, format, arguments) + fprintf(stderr, "\n");
	va_end(arguments);
	return written;
}
