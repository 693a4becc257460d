//go:build js && wasm

package main

import "github.com/rehearsal-sdk/rehearsal/actions"

// slot is a registered action; the page keeps its handler under the slot's number.
type slot struct {
	number       int32
	registry     *registry
	registration *actions.Registration
}

// register registers the identifier in the buffer, with the handler in a slot, or with none when the slot is negative.
//
//go:wasmexport register
func register(registryNumber, number, length int32) int32 {
	r := bridge.registries[registryNumber]
	identifier := received(length)
	s := &slot{number: number, registry: r}
	var handler actions.Handler
	if number >= 0 {
		handler = s.handle
	}
	replaced := r.Lookup(identifier)
	registration, err := r.Register(identifier, handler)
	if err != nil {
		return deliver(errorValue(err))
	}
	s.registration = registration
	code := r.freed(replaced)
	for int(number) >= len(bridge.slots) {
		bridge.slots = append(bridge.slots, nil)
	}
	bridge.slots[number] = s
	r.numbers[registration] = number
	return code
}

// unregister removes what is registered under the identifier in the buffer.
//
//go:wasmexport unregister
func unregister(registryNumber, length int32) int32 {
	r := bridge.registries[registryNumber]
	identifier := received(length)
	registration := r.Lookup(identifier)
	removed, err := r.Unregister(identifier)
	switch {
	case err != nil:
		return deliver(errorValue(err))
	case !removed:
		return codeNo
	}
	return r.freed(registration)
}

// release removes the registration in a slot, and never a newer one.
//
//go:wasmexport release
func release(number int32) int32 {
	s := bridge.slots[number]
	if !s.registration.Unregister() {
		return codeNo
	}
	return s.registry.freed(s.registration)
}

// freed forgets a registration that is not active any more, and gives the code that names its slot.
func (r *registry) freed(registration *actions.Registration) int32 {
	if registration == nil {
		return codeDone
	}
	number := r.numbers[registration]
	delete(r.numbers, registration)
	bridge.slots[number] = nil
	return codeSlot + number
}

// list delivers the registered identifiers.
//
//go:wasmexport list
func list(registryNumber int32) int32 {
	identifiers := bridge.registries[registryNumber].List()
	values := make([]any, len(identifiers))
	for i, identifier := range identifiers {
		values[i] = identifier
	}
	return deliver(values)
}
