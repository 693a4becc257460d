//go:build js && wasm

package main

import "github.com/hack-pad/safejs"

// version is that of the npm package, set when the program is built. The page refuses a program of another version.
// TinyGo sets only variables that have no value.
var version string

// bridge is the whole state of the program. It is a variable because exports are functions; only the page's one thread is here.
// It is connected before main: TinyGo makes a library, which has none.
var bridge = connect()

// connect shakes hands with the page, which has put an object named `bridge` into the global object that this program sees.
func connect() state {
	glue, err := safejs.Global().Get("bridge")
	if err == nil {
		err = glue.Set("version", version)
	}
	if err != nil {
		panic("the page has not prepared the bridge")
	}
	return state{
		glue:        glue,
		buffer:      make([]byte, smallBuffer),
		registries:  map[int32]*registry{},
		completions: pending[*later]{},
		answers:     pending[func(any, error)]{},
	}
}

// main stays: the page calls exports.
func main() { select {} }
