//go:build js && wasm

package main

import (
	"errors"

	"github.com/hack-pad/safejs"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/wasm/internal/wire"
)

// create makes a registry, or gives one that exists another host. The page has put what it needs to know into the property
// `adapter` of the bridge: platform, version, the names of the capabilities, the allowed links or null, whether it can say that
// a gesture is missing, and the functions `call` and `needsGesture`.
//
//go:wasmexport create
func create(number int32) int32 {
	host, links, err := readAdapter()
	if err != nil {
		return deliver(errorValue(err))
	}
	if r := bridge.registries[number]; r != nil {
		r.UpdateHost(func(h *actions.Host) { *h = host })
		return codeDone
	}
	bridge.registries[number] = &registry{
		Registry: actions.New(actions.Options{Host: host, RefuseLink: links}),
		numbers:  map[*actions.Registration]int32{},
		tasks:    map[int32]*actions.Task{},
	}
	return codeDone
}

// dispose forgets a registry.
//
//go:wasmexport dispose
func dispose(number int32) int32 {
	if r := bridge.registries[number]; r != nil {
		// What still runs, such as the items of a group, finds nothing registered any more.
		for registration, slot := range r.numbers {
			registration.Unregister()
			bridge.slots[slot] = nil
		}
		for _, task := range r.tasks {
			task.Cancel()
		}
		delete(bridge.registries, number)
	}
	return codeDone
}

// readAdapter reads what the page says of a host.
func readAdapter() (host actions.Host, links func(string) string, err error) {
	adapter, err := bridge.glue.Get("adapter")
	if err != nil {
		return host, nil, err
	}
	p := page{adapter}
	host = actions.Host{Platform: actions.Platform(p.text("platform")), Version: p.text("version")}
	for _, name := range p.texts("capabilities") {
		switch actions.CapabilityName(name) {
		case actions.CapabilityDismisser:
			host.Dismisser = p
		case actions.CapabilityLinkOpener:
			host.LinkOpener = p
		case actions.CapabilityInterceptor:
			host.Interceptor = p
		case actions.CapabilityNotifications:
			host.Notifications = p
		case actions.CapabilitySettings:
			host.Settings = p
		case actions.CapabilityClipboard:
			host.Clipboard = p
		case actions.CapabilityReviewer:
			host.Reviewer = p
		case actions.CapabilityTracking:
			host.Tracking = p
		case actions.CapabilityUserData:
			host.UserData = p
		}
	}
	if p.flag("gestures") {
		host.NeedsGesture = p.needsGesture
	}
	if !p.flag("limited") {
		return host, nil, nil
	}
	links, err = actions.LinkRules(p.texts("links")...)
	return host, links, err
}

// page is a host of the page's: all its capabilities, of which the page may have told some only.
type page struct{ adapter safejs.Value }

func (p page) text(property string) string {
	if value, err := p.adapter.Get(property); err == nil && value.Type() == safejs.TypeString {
		text, _ := value.String()
		return text
	}
	return ""
}

func (p page) flag(property string) bool {
	value, err := p.adapter.Get(property)
	if err != nil {
		return false
	}
	flag, _ := value.Truthy()
	return flag
}

func (p page) texts(property string) []string {
	list := page{safejs.Undefined()}
	if value, err := p.adapter.Get(property); err == nil {
		list.adapter = value
	}
	n, _ := list.adapter.Length()
	texts := make([]string, n)
	for i := range texts {
		if value, err := list.adapter.Index(i); err == nil {
			texts[i], _ = value.String()
		}
	}
	return texts
}

func (p page) needsGesture(name actions.CapabilityName) bool {
	value, err := p.adapter.Call("needsGesture", string(name))
	if err != nil {
		return false
	}
	missing, _ := value.Bool()
	return missing
}

// ask calls a method of one of the host's capabilities. The page answers by `answer`, at once or later.
func (p page) ask(next func(any, error), name actions.CapabilityName, method string, details ...any) {
	number := bridge.answers.add(next)
	deliver([]any{string(name), method, details})
	if _, err := p.adapter.Call("call", number); err != nil {
		// The page's function does not throw. What it threw all the same must not be asked for its text: safejs would panic.
		if next, ok := bridge.answers.take(number); ok {
			next(nil, errors.New("the host could not be called"))
		}
	}
}

// answer tells what a capability answered. The buffer holds the value; or null, the code, the text and the number of what the page keeps.
//
//go:wasmexport answer
func answer(number, length int32) int32 {
	next, ok := bridge.answers.take(number)
	if !ok {
		return codeNo
	}
	given := parts(length)
	code, refused := given[1].(string)
	if !refused {
		next(given[0], nil)
		return codeDone
	}
	text, _ := given[2].(string)
	kept, _ := given[3].(wire.Reference)
	next(nil, &actions.Error{Code: actions.Code(code), Message: text, Cause: &thrown{text, kept}})
	return codeDone
}
