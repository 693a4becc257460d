//go:build swiftbridge

// Command bridge is the bindings as a C library with one function: what the stand-in for the framework, which is generated beside it,
// calls on Linux. It takes the place of gobind's C and Objective-C in the tests of the Swift façade.
package main

/*
#cgo CFLAGS: -DRH_GO
#include <stdlib.h>
#include "bridge.h"

static void rh_do(rh_callback f, int64_t object, char *method, rh_value *arguments, int32_t count, rh_value *error) {
	f(object, method, arguments, count, error);
}
static void rh_let_go(rh_forget f, int64_t object) { f(object); }
*/
import "C"

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/cgo"
	"unsafe"
)

var (
	callback C.rh_callback
	forget   C.rh_forget
)

//export rh_setup
func rh_setup(call C.rh_callback, let C.rh_forget) { callback, forget = call, let }

//export rh_release
func rh_release(handle C.int64_t) { cgo.Handle(handle).Delete() }

//export rh_call
func rh_call(name *C.char, handle C.int64_t, arguments *C.rh_value, count C.int32_t, result, failure *C.rh_value) {
	var function reflect.Value
	if handle == 0 {
		function = reflect.ValueOf(functions[C.GoString(name)])
	} else {
		function = reflect.ValueOf(cgo.Handle(handle).Value()).MethodByName(C.GoString(name))
	}
	if !function.IsValid() {
		panic("there is no " + C.GoString(name))
	}
	in := make([]reflect.Value, count)
	for i, value := range unsafe.Slice(arguments, count) {
		in[i] = read(value, function.Type().In(i))
	}
	for _, out := range function.Call(in) {
		if err, isError := out.Interface().(error); out.Type() == reflect.TypeFor[error]() {
			if isError {
				*failure = writeError(err)
			}
		} else {
			*result = write(out)
		}
	}
}

// read takes a value, and its text with it.
func read(value C.rh_value, want reflect.Type) reflect.Value {
	switch value.kind {
	case C.rh_bool:
		return reflect.ValueOf(value.number != 0)
	case C.rh_int:
		return reflect.ValueOf(int64(value.number)).Convert(want)
	case C.rh_double:
		return reflect.ValueOf(float64(value.real))
	case C.rh_text:
		return reflect.ValueOf(take(value))
	case C.rh_handle:
		return reflect.ValueOf(cgo.Handle(value.number).Value())
	case C.rh_foreign:
		return reflect.ValueOf(adapters[want](keep(value.number)))
	}
	return reflect.Zero(want)
}

func take(value C.rh_value) string {
	defer C.free(unsafe.Pointer(value.text))
	return string(C.GoBytes(unsafe.Pointer(value.text), C.int(value.length)))
}

func text(s string) C.rh_value {
	return C.rh_value{kind: C.rh_text, text: (*C.char)(C.CBytes([]byte(s))), length: C.int64_t(len(s))}
}

func write(value reflect.Value) C.rh_value {
	switch value.Kind() {
	case reflect.Bool:
		var number C.int64_t
		if value.Bool() {
			number = 1
		}
		return C.rh_value{kind: C.rh_bool, number: number}
	case reflect.Int32, reflect.Int64:
		return C.rh_value{kind: C.rh_int, number: C.int64_t(value.Int())}
	case reflect.Float64:
		return C.rh_value{kind: C.rh_double, real: C.double(value.Float())}
	case reflect.String:
		return text(value.String())
	case reflect.Pointer:
		if value.IsNil() {
			return C.rh_value{}
		}
		return C.rh_value{kind: C.rh_handle, number: C.int64_t(cgo.NewHandle(value.Interface()))}
	}
	panic(fmt.Sprintf("a %s does not cross", value.Type()))
}

func writeError(err error) C.rh_value {
	if thrown, ok := err.(*thrown); ok {
		return C.rh_value{kind: C.rh_foreign, number: thrown.object.number}
	}
	return text(err.Error())
}

// object is one of Swift's, which is let go when nobody here has it any more.
type object struct{ number C.int64_t }

func keep(number C.int64_t) *object {
	o := &object{number}
	runtime.SetFinalizer(o, func(o *object) { C.rh_let_go(forget, o.number) })
	return o
}

func (o *object) call(method string, arguments ...any) error {
	values := make([]C.rh_value, len(arguments)+1) // never empty
	for i, argument := range arguments {
		values[i] = write(reflect.ValueOf(argument))
	}
	name := C.CString(method)
	defer C.free(unsafe.Pointer(name))
	memory := (*C.rh_value)(C.calloc(C.size_t(len(values)), C.sizeof_rh_value))
	defer C.free(unsafe.Pointer(memory))
	copy(unsafe.Slice(memory, len(values)), values)
	failure := &unsafe.Slice(memory, len(values))[len(arguments)]
	C.rh_do(callback, o.number, name, memory, C.int32_t(len(arguments)), failure)
	if failure.kind == C.rh_foreign {
		return &thrown{keep(failure.number), take(*failure)}
	}
	return nil
}

// thrown is an error of Swift's.
type thrown struct {
	object *object
	text   string
}

func (t *thrown) Error() string { return t.text }

func main() {}
