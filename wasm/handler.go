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
// and with the number of the value that the handler returned when there is one. A promise's outcome is told by settle.
//
//go:wasmimport rehearsal call_with
func importCallWith(slot, depth, completion int32, address unsafe.Pointer, length int32) int32

const calledLater = -1

// later is a handler that has not finished.
type later = actions.Completion

// handler makes the handler of a registered action. What happens most is in one function: calls are what a perform costs.
func (s *slot) handler() actions.Handler {
	number := s.number
	return func(invocation actions.Invocation) (any, error) {
		if !bridge.direct {
			return s.handle(invocation)
		}
		outer := bridge.depth
		depth := int32(invocation.Depth() + 1)
		bridge.direct, bridge.depth = false, depth
		code := importCall(number, depth)
		bridge.depth = outer
		if code < calledLater {
			return nil, failure(code)
		}
		bridge.later = code == calledLater
		return nil, nil
	}
}

// handle has the page call the handler with arguments and a source that are on this side.
func (s *slot) handle(invocation actions.Invocation) (any, error) {
	outer := bridge.depth
	bridge.depth = int32(invocation.Depth() + 1)
	completion := new(later)
	number := bridge.completions.add(completion)
	arguments := wire.Append(nil, []any{map[string]any(invocation.Arguments()), sourceValue(invocation.Source())})
	code := importCallWith(s.number, bridge.depth, number, unsafe.Pointer(&arguments[0]), int32(len(arguments)))
	bridge.depth = outer
	if code == calledLater {
		return completion, nil
	}
	bridge.completions.take(number)
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
