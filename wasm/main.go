//go:build js && wasm

package main

import "github.com/hack-pad/safejs"

// version is that of the npm package, set when the program is built. The page refuses a program of another version.
var version = "unknown"

// bridge is the whole state of the program. It is a variable because exports are functions; only the page's one thread is here.
var bridge = state{
	buffer:      make([]byte, smallBuffer),
	registries:  map[int32]*registry{},
	completions: pending[*later]{},
	answers:     pending[func(any, error)]{},
}

// main shakes hands with the page, which has put an object named `bridge` into the global object that this program sees, and
// stays.
func main() {
	glue, err := safejs.Global().Get("bridge")
	if err == nil {
		err = glue.Set("version", version)
	}
	if err != nil {
		panic("the page has not prepared the bridge")
	}
	bridge.glue = glue
	select {}
}
