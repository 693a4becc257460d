//go:build js && wasm

package main

import (
	"unsafe"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/wasm/internal/wire"
)

// perform performs the registered action that the identifier in the buffer names, while the page holds the arguments. It
// answers codeOther when there is none.
//
//go:wasmexport perform
func perform(registryNumber, length int32) int32 {
	// The text is looked at before anything else can be written into the buffer, and not kept.
	text := bridge.buffer[:length]
	identifier := unsafe.String(unsafe.SliceData(text), len(text))
	registration := bridge.registries[registryNumber].Lookup(identifier)
	if registration == nil {
		return codeOther
	}
	return performDirectly(registration)
}

// performSlot is perform for a registration that the page knows already.
//
//go:wasmexport perform_slot
func performSlot(number int32) int32 {
	s := bridge.slots[number]
	if s == nil || !s.registration.Active() {
		return codeOther
	}
	return performDirectly(s.registration)
}

func performDirectly(registration *actions.Registration) int32 {
	bridge.direct = true
	// There are no arguments on this side to copy, and there is no task: the page awaits promises itself.
	result, _ := registration.Begin(actions.Call{Depth: int(bridge.depth), Owned: true})
	bridge.direct = false
	if result.Status != actions.StatusPerformed {
		return deliver(resultValue(result))
	}
	if bridge.later {
		bridge.later = false
		return codeNo
	}
	return codeDone
}

// begin performs or, when there is a source, triggers any action. The buffer holds the identifier, the arguments, the source or
// null, and how deep in other performs it is or null. A result that comes later is told by `finished`, with the call's number.
//
//go:wasmexport begin
func begin(registryNumber, callNumber, length int32) int32 {
	r, given := bridge.registries[registryNumber], parts(length)
	identifier, _ := given[0].(string)
	arguments, ok := objectOf(given[1])
	if !ok {
		return deliver(resultValue(refused(noObject("value of the arguments"))))
	}
	source, ok := sourceOf(given[2])
	if !ok {
		return deliver(resultValue(refused(noObject("payload of the source"))))
	}
	depth, _ := given[3].(int64)
	call := actions.Call{Identifier: identifier, Arguments: arguments, Source: source, Depth: max(int(depth), int(bridge.depth))}

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
		return deliver(resultValue(result))
	}
	r.tasks[callNumber] = task
	task.Then(func(result actions.Result) {
		delete(r.tasks, callNumber)
		deliver(resultValue(result))
		importFinished(callNumber)
	})
	return codeNo
}

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
