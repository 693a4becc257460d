// What the stand-in for the framework calls on Linux, where Swift knows no Objective-C. It is for the tests only.
#include <stdint.h>

// A value that crosses. Texts are the receiver's to free.
typedef struct {
	int32_t kind;
	int64_t number; // a truth value, an integer, a handle of Go's, or an object or an error of Swift's
	double real;
	char *text;
	int64_t length;
} rh_value;

enum { rh_none, rh_bool, rh_int, rh_double, rh_text, rh_handle, rh_foreign };

// Calls a function of the package, or a method of what a handle stands for. An error is a text or an error of Swift's.
void rh_call(char *name, int64_t handle, rh_value *arguments, int32_t count, rh_value *result, rh_value *error);
void rh_release(int64_t handle);

// Says what calls methods of Swift's objects, and what lets go of objects and errors.
typedef void (*rh_callback)(int64_t object, char *method, rh_value *arguments, int32_t count, rh_value *error);
typedef void (*rh_forget)(int64_t object);
void rh_setup(rh_callback callback, rh_forget forget);
