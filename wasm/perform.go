//go:build js && wasm

package main

import (
	"unsafe"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/wasm/internal/wire"
)

// perform performs the action that the identifier in the buffer names, so deep in others, while the page holds the arguments and
// the source. It answers codeOther when the arguments are needed here, as those of a built-in are.
//
//go:wasmexport perform
func perform(registryNumber, length, depth int32) int32 {
	// The text is looked at before anything else can be written into the buffer, and not kept.
	text := bridge.buffer[:length]
	identifier := unsafe.String(unsafe.SliceData(text), len(text))
	r := bridge.registries[registryNumber]
	if registration := r.Lookup(identifier); registration != nil {
		return bridge.slots[r.numbers[registration]].performDirectly(depth)
	}
	if r.IsBuiltin(identifier) {
		return codeOther
	}
	result, _ := r.Begin(actions.Call{Identifier: identifier, Depth: int(max(depth, bridge.depth)), Owned: true})
	return deliverResult(result)
}

// performSlot is perform for a registration that the page knows already.
//
//go:wasmexport perform_slot
func performSlot(number, depth int32) int32 {
	s := bridge.slots[number]
	if s == nil || !s.registration.Active() {
		return codeOther
	}
	return s.performDirectly(depth)
}

// begin performs or, when there is a source, triggers any action. The buffer holds the identifier, the arguments, the source or
// null, and how deep in other performs it is or null. What is owned was checked and copied by the page, which may have kept
// objects of it. A result that comes later is told by `finished`, with the call's number.
//
//go:wasmexport begin
func begin(registryNumber, callNumber, length, owned int32) int32 {
	r, given := bridge.registries[registryNumber], parts(length)
	identifier, _ := given[0].(string)
	arguments, ok := objectOf(given[1])
	if !ok {
		return deliverResult(refused(noObject("value of the arguments")))
	}
	source, ok := sourceOf(given[2])
	if !ok {
		return deliverResult(refused(noObject("payload of the source")))
	}
	depth, _ := given[3].(int64)
	call := actions.Call{
		Identifier: identifier, Arguments: arguments, Source: source, Depth: max(int(depth), int(bridge.depth)), Owned: owned != 0,
	}

	var result actions.Result
	var task *actions.Task
	if given[2] != nil && !r.started {
		task = r.Trigger(identifier, arguments, source)
		var ended bool
		if result, ended = task.Result(); ended {
			task = nil
		}
	} else {
		result, task = r.Begin(call)
	}
	if task == nil {
		return deliverResult(result)
	}
	r.tasks[callNumber] = task
	task.Then(func(result actions.Result) {
		delete(r.tasks, callNumber)
		deliverResult(result)
		importFinished(callNumber)
	})
	return codeNo
}

func deliverResult(r actions.Result) int32 { return deliver((*result)(&r)) }

func refused(problem actions.Problem) actions.Result {
	return actions.Result{Status: problem.Status, Message: problem.Message}
}

//go:wasmimport rehearsal finished
func importFinished(callNumber int32)

// cancel ends a call that has no result yet.
//
//go:wasmexport cancel
func cancel(registryNumber, callNumber int32) int32 {
	r := bridge.registries[registryNumber]
	if r == nil {
		return codeNo
	}
	if task := r.tasks[callNumber]; task != nil && task.Cancel() {
		return codeDone
	}
	return codeNo
}

// start ends the holding of triggers.
//
//go:wasmexport start
func start(registryNumber int32) int32 {
	r := bridge.registries[registryNumber]
	r.started = true
	r.Start()
	return codeDone
}

// validate delivers what perform would refuse. The buffer holds the identifier and the arguments.
//
//go:wasmexport validate
func validate(registryNumber, length int32) int32 {
	given := parts(length)
	identifier, _ := given[0].(string)
	arguments, ok := objectOf(given[1])
	problems := []actions.Problem{noObject("value of the arguments")}
	if ok {
		problems = bridge.registries[registryNumber].Validate(identifier, arguments)
	}
	values := make([]any, len(problems))
	for i, problem := range problems {
		values[i] = wire.Object{
			{Name: "pointer", Value: problem.At}, {Name: "status", Value: string(problem.Status)}, {Name: "message", Value: problem.Message},
		}
	}
	return deliver(values)
}

// capability delivers what the action whose identifier is in the buffer can do.
//
//go:wasmexport capability
func capability(registryNumber, length int32) int32 {
	return deliver(string(bridge.registries[registryNumber].Capability(received(length))))
}
