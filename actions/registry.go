package actions

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Options are what a [Registry] is made with. The zero value is an SDK without any host capability.
type Options struct {
	// Host is what the built-ins act on. [Registry.UpdateHost] changes it later.
	Host Host
	// RefuseLink, when not nil, is asked about every link that service.deeplink would open or hand to the interceptor. It gives
	// the reason for refusing it, as the end of a sentence, or "". [LinkRules] makes one from a list of allowed links.
	RefuseLink func(url string) (reason string)
	// GoOn, when not nil, is given what an action goes on with after a wait: the next item of a group, the next thing asked of a
	// host. It has it run, once, in a goroutine where handlers and hosts may be called. Without it that is the goroutine that has
	// ended the wait. What is only state, such as a result, never waits for it.
	GoOn func(step Step)
}

// Step is what an action goes on with after a wait.
type Step struct {
	// Run calls handlers and hosts.
	Run func()
	// Abandon ends the action as failed, unless it has ended: for a Run that does not come back, or that cannot be begun. Any
	// goroutine may call it.
	Abandon func(error)
}

// Registry holds the actions of an application and performs them. Make one with [New]. All methods may be called from any
// goroutine, also from inside a handler.
type Registry struct {
	refuseLink func(url string) string
	goOn       func(Step)
	builtins   []builtin // made once: finding one costs nothing then
	host       atomic.Pointer[Host]
	observer   atomic.Pointer[Observer]

	mutex      sync.RWMutex // guards registered
	registered map[string]*Registration

	// running counts the performs that are on some goroutine's stack now. See nesting.
	running atomic.Int32

	holding holding
}

// New makes a registry that knows the built-in actions only. Triggers are held until [Registry.Start].
func New(options Options) *Registry {
	r := &Registry{refuseLink: options.RefuseLink, goOn: options.GoOn, builtins: builtins(), registered: map[string]*Registration{}}
	if r.goOn == nil {
		r.goOn = func(step Step) { step.Run() }
	}
	r.host.Store(&options.Host)
	return r
}

// UpdateHost changes the host: change is given a copy of it, to set or remove capabilities one by one. Actions that are under
// way keep the host they began with. When several goroutines do this at once, change may be called again with a newer copy.
func (r *Registry) UpdateHost(change func(*Host)) {
	for {
		old := r.host.Load()
		host := *old
		if change(&host); r.host.CompareAndSwap(old, &host) {
			r.changed()
			return
		}
	}
}

// Registration is one registered action.
type Registration struct {
	registry   *Registry
	identifier string
	folded     string
	handler    Handler
	active     atomic.Bool
}

// Register makes an action runnable under an identifier. Identifiers compare case-insensitively and are not trimmed. A second
// registration of the same identifier replaces the first; actions under way keep their handler.
//
// Errors are of type [Error]: [CodeInvalidIdentifier] for a blank identifier, [CodeReservedIdentifier] for one that begins
// with "service." in any letter case, [CodeInvalidHandler] for a nil handler. (Actions module, sections 2 and 4.)
func (r *Registry) Register(identifier string, handler Handler) (*Registration, error) {
	folded, err := checkIdentifier(identifier)
	if err != nil {
		return nil, err
	}
	if handler == nil {
		return nil, &Error{Code: CodeInvalidHandler, Message: say("the action $ has no handler: it needs the code that it runs", identifier)}
	}
	registration := &Registration{registry: r, identifier: validText(identifier), folded: folded, handler: handler}
	registration.active.Store(true)

	defer r.changed()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if previous := r.registered[folded]; previous != nil {
		previous.active.Store(false)
	}
	r.registered[folded] = registration
	return registration, nil
}

// Unregister removes the action registered under an identifier, in whatever spelling, and reports whether there was one. An
// identifier that begins with "service." is refused with [CodeReservedIdentifier], known or not. (Actions module, section 4.)
func (r *Registry) Unregister(identifier string) (removed bool, err error) {
	folded := fold(identifier)
	if isReserved(folded) {
		return false, reservedError(identifier)
	}
	defer r.changed()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.remove(folded), nil
}

// remove takes out what is registered under a folded identifier. The lock is held.
func (r *Registry) remove(folded string) bool {
	registration := r.registered[folded]
	if registration == nil {
		return false
	}
	registration.active.Store(false)
	delete(r.registered, folded)
	return true
}

// List gives the registered identifiers, without the built-ins, as they were registered and sorted by code point.
func (r *Registry) List() []string {
	r.mutex.RLock()
	identifiers := make([]string, 0, len(r.registered))
	for _, registration := range r.registered {
		identifiers = append(identifiers, registration.identifier)
	}
	r.mutex.RUnlock()
	slices.Sort(identifiers)
	return identifiers
}

// Lookup gives what is registered under an identifier, or nil. It knows no built-ins. It allocates nothing for a short ASCII identifier.
func (r *Registry) Lookup(identifier string) *Registration {
	var buffer [64]byte
	if key := foldASCII(buffer[:0], identifier); key != nil {
		r.mutex.RLock()
		registration := r.registered[string(key)]
		r.mutex.RUnlock()
		return registration
	}
	folded := fold(identifier)
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	return r.registered[folded]
}

// Identifier gives the identifier as it was registered.
func (g *Registration) Identifier() string { return g.identifier }

// Active reports whether the identifier still stands for this registration: it was neither unregistered nor replaced.
func (g *Registration) Active() bool { return g.active.Load() }

// Unregister removes this registration, and never a newer one of the same identifier. It reports whether it did.
func (g *Registration) Unregister() (removed bool) {
	defer g.registry.changed()
	g.registry.mutex.Lock()
	defer g.registry.mutex.Unlock()
	return g.registry.registered[g.folded] == g && g.registry.remove(g.folded)
}

// Admit is [Registration.Begin] for a surface that holds the arguments and calls the handler itself, which must not panic here: it gives
// the result of a perform that is inside of too many others, or nil, and then the handler is to be called. The depth is that of [Call],
// and nobody else counts it. Whether the registration is active is for the surface to ask.
func (g *Registration) Admit(depth int) *Result {
	if depth <= maxNested {
		return nil
	}
	return &Result{Status: StatusFailed, Message: nestedTooDeep()}
}

// Begin is [Registry.Begin] of this registration's identifier, without the cost of looking it up again. Once the registration
// is not active any more it begins what the identifier stands for now.
func (g *Registration) Begin(call Call) (result Result, task *Task) {
	call.Identifier = g.identifier
	task = g.registry.begin(&call, g, &result)
	return result, task
}
