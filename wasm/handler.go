//go:build js && wasm

package main

import (
	"unsafe"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/wasm/internal/wire"
)

// call has the page call the handler in a slot with the arguments that the page holds. It answers 0 when the handler returned,
// calledLater when it returned a promise, and below that when it threw: see failure.
//
//go:wasmimport rehearsal call
func importCall(slot, depth int32) int32

// callWith has the page call the handler in a slot with the arguments and the source in these bytes. It answers as call does,
// and with the number of the value that the handler returned when there is one.
//
//go:wasmimport rehearsal call_with
func importCallWith(slot, depth int32, address unsafe.Pointer, length int32) int32

// await has the page tell by settle the outcome of the promise that call_with has just met.
//
//go:wasmimport rehearsal await
func importAwait(completion int32)

const calledLater = -1

// later is a handler that has not finished.
type later = actions.Completion

// performDirectly performs while the page holds the arguments and the source, and awaits the promise that the handler may return. What
// happens most is here alone, and as little as there can be.
func (s *slot) performDirectly(depth int32) int32 {
	outer := bridge.depth
	depth = max(depth, outer)
	if refused := s.registration.Admit(int(depth)); refused != nil {
		return deliver((*result)(refused))
	}
	bridge.depth = depth + 1
	code := importCall(s.number, depth+1)
	bridge.depth = outer
	switch code {
	case 0:
		return codeDone
	case calledLater:
		return codeNo
	}
	failed := new(later)
	failed.Fail(failure(code))
	ended, _ := (*actions.Task)(failed).Result()
	return deliver((*result)(&ended))
}

// handle is the handler of a registered action: it has the page call it with arguments and a source that are on this side.
func (s *slot) handle(given actions.Invocation) (any, error) {
	outer := bridge.depth
	bridge.depth = int32(given.Depth() + 1)
	address, length := written((*invocation)(&given))
	code := importCallWith(s.number, bridge.depth, address, length)
	bridge.depth = outer
	if code == calledLater {
		completion := new(later)
		importAwait(bridge.completions.add(completion))
		return completion, nil
	}
	return outcome(code)
}

// outcome gives what a handler of the page's ended with.
func outcome(code int32) (any, error) {
	switch {
	case code < calledLater:
		return nil, failure(code)
	case code == 0:
		return nil, nil
	}
	return wire.Reference(code), nil
}

// failure reads what was thrown: the buffer holds the text and the number of what the page keeps; their length is in the code.
func failure(code int32) error {
	given := parts(calledLater - code)
	text, _ := given[0].(string)
	kept, _ := given[1].(wire.Reference)
	return &thrown{text, kept}
}

// settle tells how a handler finished that had returned a promise. It answers codeNo when nobody waits for it any more.
//
//go:wasmexport settle
func settle(number, code int32) int32 {
	completion, ok := bridge.completions.take(number)
	if !ok {
		return codeNo
	}
	value, err := outcome(code)
	if err == nil {
		ok = completion.Succeed(value)
	} else {
		ok = completion.Fail(err)
	}
	if !ok {
		return codeNo
	}
	return codeDone
}
