//go:build js && wasm

package main

import (
	"unsafe"

	"github.com/hack-pad/safejs"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/wasm/internal/wire"
)

// state is what the bridge knows.
type state struct {
	glue       safejs.Value
	buffer     []byte // what the page writes; see reserve
	out        []byte // what the page is given; it reads it at once
	registries map[int32]*registry
	slots      []*slot // by the number that the page gave the handler

	depth int32 // of performs that begin now

	completions pending[*later]
	answers     pending[func(any, error)]
}

// registry is one registry of actions, with what the page needs to be told of it.
type registry struct {
	*actions.Registry
	started bool
	numbers map[*actions.Registration]int32
	tasks   map[int32]*actions.Task // by the number that the page gave the call
}

// What exports answer. Zero is no answer: the program has ended.
const (
	codeDone      int32 = 1 // what was asked for is done, or the action was performed and the page holds its value
	codeNo        int32 = 2 // it was not necessary, or the action will end later
	codeDelivered int32 = 3 // the page was given a value: a result, or an error
	codeOther     int32 = 4 // nothing is registered under the identifier: the page sends the arguments
	codeSlot      int32 = 8 // done, and the number of the handler that is not needed any more, plus this
)

const smallBuffer = 1 << 12

// reserve gives the address of a buffer for at least n bytes. It stays the same until the next call of reserve.
//
//go:wasmexport reserve
func reserve(n int32) unsafe.Pointer {
	if int(n) > len(bridge.buffer) || n <= smallBuffer && len(bridge.buffer) > 1<<20 {
		bridge.buffer = make([]byte, max(n, smallBuffer))
	}
	return unsafe.Pointer(&bridge.buffer[0])
}

// received copies the first n bytes of the buffer as a text.
func received(n int32) string { return string(bridge.buffer[:n]) }

// parts reads the list of values in the first n bytes of the buffer, and fills it up with nil.
func parts(n int32) [4]any {
	var found [4]any
	value, err := wire.Decode(bridge.buffer[:n])
	if err != nil {
		panic(err) // the page is of another version
	}
	list, _ := value.([]any)
	copy(found[:], list)
	return found
}

//go:wasmimport rehearsal deliver
func importDeliver(address unsafe.Pointer, length int32)

// deliver gives the page a value.
func deliver(value any) int32 {
	importDeliver(written(value))
	return codeDelivered
}

// written gives where the bytes of a value are. The import that is given them reads them before it does anything else.
func written(value any) (address unsafe.Pointer, length int32) {
	if cap(bridge.out) > 1<<20 {
		bridge.out = nil
	}
	bridge.out = wire.Append(bridge.out[:0], value)
	return unsafe.Pointer(&bridge.out[0]), int32(len(bridge.out))
}

// pending are things that wait for the page to speak of them by their number.
type pending[T any] struct {
	waiting map[int32]T
	last    int32
}

func (p *pending[T]) add(thing T) (number int32) {
	if p.waiting == nil {
		p.waiting = map[int32]T{}
	}
	if p.last++; p.last < 0 {
		p.last = 1
	}
	p.waiting[p.last] = thing
	return p.last
}

func (p *pending[T]) take(number int32) (thing T, ok bool) {
	thing, ok = p.waiting[number]
	delete(p.waiting, number)
	return thing, ok
}
