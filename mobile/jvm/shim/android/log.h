// What the generated code uses of Android's log, so that it can be built and run where there is no Android.
#ifndef ANDROID_LOG_H
#define ANDROID_LOG_H

enum { ANDROID_LOG_INFO = 4, ANDROID_LOG_FATAL = 7 };

int __android_log_print(int priority, const char *tag, const char *format, ...);

#endif
