package actions

import (
	"strconv"
	"sync/atomic"
	"time"

	core "github.com/rehearsal-sdk/rehearsal/actions"
)

// defaultLimit is how long a call of the app may take to end: long enough for a user to read a prompt.
// See docs/decisions/mobile.md#why-is-the-time-limit-five-minutes
const defaultLimit = 5 * time.Minute

// Options are what a [Registry] is made with.
type Options struct {
	platform, version string
	limit, callback   time.Duration
	limited           bool
	links             []string
}

// NewOptions makes options without a platform, with a time limit of five minutes, a callback limit of five seconds, and with every link
// allowed but those that run code or read files: javascript:, data:, vbscript:, file:, blob: and content:.
func NewOptions() *Options { return &Options{limit: defaultLimit, callback: defaultCallback} }

// SetPlatform says what the app runs on: [PlatformIOS] or [PlatformAndroid], and the version of the system, such as "17.2". Some
// built-ins ask for a version; one that is "" or cannot be read counts as the newest.
func (o *Options) SetPlatform(platform, version string) {
	defer contain()
	o.platform, o.version = valid(platform), valid(version)
}

// SetTimeLimit sets after how many milliseconds an action or a host that has not answered is failed. 0 is no limit.
func (o *Options) SetTimeLimit(milliseconds int64) {
	defer contain()
	o.limit = duration(milliseconds)
}

// SetCallbackLimit sets after how many milliseconds an action, a host or a listener that has not returned counts as hanging: it is
// told to the [HangListener], and if it is on the worker, another thread goes on with what waits behind it. 0 is no limit: a
// debugger may want that. The time limit counts when it is shorter.
func (o *Options) SetCallbackLimit(milliseconds int64) {
	defer contain()
	o.callback = duration(milliseconds)
}

// maxDuration keeps what an app gives within what a duration holds, and 146 years are for ever.
const maxDuration = 1 << 62 * time.Nanosecond

// duration gives a number of milliseconds as a duration; there is none below 0.
func duration(milliseconds int64) time.Duration {
	return time.Duration(min(max(milliseconds, 0), int64(maxDuration/time.Millisecond))) * time.Millisecond
}

// AllowLink adds to the links that service.deeplink opens or hands to the interceptor; the first call forbids all others. An entry
// is a scheme ("shop:"), a host ("https://example.com"), with an asterisk and a dot in front of it the hosts below that one, or a
// host and the beginning of a path ("https://example.com/offers/"). The error has the code [CodeInvalidLinkRule].
func (o *Options) AllowLink(entry string) (err error) {
	defer containAs(&err)
	if _, err := core.LinkRules(entry); err != nil {
		return leaving(err, CodeInvalidLinkRule)
	}
	o.limited, o.links = true, append(o.links, entry)
	return nil
}

// ForbidLinks forbids every link that AllowLink does not allow.
func (o *Options) ForbidLinks() {
	defer contain()
	o.limited = true
}

// Registry holds the actions of an app and performs them. Make one when the app starts, register every action, then call Start.
// (Actions module, sections 1 and 4.)
type Registry struct {
	core     *core.Registry
	limit    time.Duration
	worker   worker
	watchdog watchdog
	// performed is the task of what was performed at once. It never changes.
	performed *Task
	link      atomic.Pointer[PlaygroundLink]
}

// NewRegistry makes a registry that knows the built-in actions only and has no capability. Null options are those of [NewOptions].
func NewRegistry(options *Options) *Registry {
	defer contain()
	if options == nil {
		options = NewOptions()
	}
	made := core.Options{Host: core.Host{Platform: core.Platform(options.platform), Version: options.version}}
	if options.limited {
		// Every entry was read before.
		made.RefuseLink, _ = core.LinkRules(options.links...)
	}
	registry := &Registry{limit: options.limit}
	registry.worker.patience = options.patience()
	registry.watchdog.limit, registry.watchdog.now = options.patience(), time.Now
	made.GoOn = registry.goOn
	registry.core = core.New(made)
	registry.performed = &Task{registry: registry, done: true, result: core.Result{Status: core.StatusPerformed}}
	return registry
}

// Register makes an action runnable under an identifier. Identifiers compare without regard to case and are not trimmed. A second
// registration of the same identifier replaces the first. The error has the code [CodeInvalidIdentifier] for a blank identifier,
// [CodeReservedIdentifier] for one that begins with "service." and [CodeInvalidHandler] for null. (Actions module, sections 2 and 4.)
func (r *Registry) Register(identifier string, action Action) (registration *Registration, err error) {
	defer containAs(&err)
	registered, err := r.core.Register(identifier, r.handler(action))
	if err != nil {
		return nil, leaving(err, CodeInternal)
	}
	return &Registration{r, registered}, nil
}

// RegisterOn is [Registry.Register] of an action that an executor runs, wherever it is performed from. It goes on after perform has
// returned unless the executor runs it at once, and the time limit bounds it. A null executor is the worker, in the background.
func (r *Registry) RegisterOn(identifier string, action Action, executor Executor) (registration *Registration, err error) {
	defer containAs(&err)
	if executor == nil {
		executor = background{r, strconv.Quote(valid(identifier))}
	}
	registered, err := r.core.Register(identifier, r.handlerOn(action, executor))
	if err != nil {
		return nil, leaving(err, CodeInternal)
	}
	return &Registration{r, registered}, nil
}

// Unregister removes the action registered under an identifier and reports whether there was one. The error has the code
// [CodeReservedIdentifier] for an identifier that begins with "service.". (Actions module, section 4.)
func (r *Registry) Unregister(identifier string) (removed bool, err error) {
	defer containAs(&err)
	removed, err = r.core.Unregister(identifier)
	return removed, leaving(err, CodeInternal)
}

// Lookup gives what is registered under an identifier, or null. It knows no built-ins.
func (r *Registry) Lookup(identifier string) *Registration {
	defer contain()
	if registered := r.core.Lookup(identifier); registered != nil {
		return &Registration{r, registered}
	}
	return nil
}

// List gives the registered identifiers as they were registered, sorted, without the built-ins.
func (r *Registry) List() *StringList {
	defer contain()
	list := r.core.List()
	for i := range list {
		list[i] = valid(list[i])
	}
	return &StringList{list}
}

// Start ends the holding of triggers: those that are held are begun once, in order, on this thread. A second start does nothing.
// (Actions module, section 1.)
func (r *Registry) Start() {
	defer contain()
	r.core.Start()
}

// Perform runs an action, registered or built in, on this thread and without waiting: what finishes at once has finished when it returns,
// and [Task.Result] is there. An unknown identifier gives [StatusNotFound]. Null is no arguments. (Actions module, section 4.)
func (r *Registry) Perform(identifier string, arguments *Arguments) (task *Task) {
	defer rescue(&task)
	return r.begun(r.core.Begin(core.Call{Identifier: identifier, Arguments: arguments.snapshot()}))
}

// PerformAsync is [Registry.Perform] on the worker, in the background. A listener, when it is not null, is told the result. An action
// that does not come back within the time limit fails. At most 256 performs wait for the worker; one more fails, as does one while
// eight calls of the app hang.
func (r *Registry) PerformAsync(identifier string, arguments *Arguments, listener Listener) (task *Task) {
	defer rescue(&task)
	task = &Task{registry: r}
	task.OnDone(listener)
	r.background(task, core.Call{Identifier: identifier, Arguments: arguments.snapshot()})
	return task
}

// background performs a call on the worker, for a task.
func (r *Registry) background(task *Task, call core.Call) {
	begin := func() {
		if task.IsDone() { // canceled while it waited
			return
		}
		defer func() {
			if recover() != nil { // or those who await the task would wait for ever
				task.settle(failed("this library panicked"))
			}
		}()
		defer r.limited(func(err error) { task.expire(err) })()
		result, running := r.core.Begin(call)
		if running == nil {
			task.settle(result)
		} else {
			task.run(running)
		}
	}
	r.worker.submit(strconv.Quote(valid(call.Identifier)), begin, func(why string) { task.settle(failed(why)) })
}

// Trigger runs an action as [Registry.Perform] does, with a source: this is how an SDK runs what it was told to. Before Start it is
// held, of which at most 100 are. Null is the manual source.
func (r *Registry) Trigger(identifier string, arguments *Arguments, source *Source) (task *Task) {
	defer rescue(&task)
	var from core.Source
	if source != nil {
		from = source.source
	}
	return r.follow(r.core.Trigger(identifier, arguments.snapshot(), from))
}

// Validate gives every reason why perform would refuse these arguments, without any effect.
func (r *Registry) Validate(identifier string, arguments *Arguments) *ProblemList {
	defer contain()
	return &ProblemList{r.core.Validate(identifier, arguments.snapshot())}
}

// Capability says whether an action can do anything here and now, so that a button for it may be shown or not: one of the constants
// that begin with State. It asks the host for the state of a permission where the action depends on it.
func (r *Registry) Capability(identifier string) string {
	defer contain()
	return string(r.core.Capability(identifier))
}

// Registration is one registered action.
type Registration struct {
	registry *Registry
	core     *core.Registration
}

// Identifier gives the identifier as it was registered.
func (g *Registration) Identifier() string {
	defer contain()
	return valid(g.core.Identifier())
}

// IsActive reports whether the identifier still stands for this registration: it was neither unregistered nor replaced.
func (g *Registration) IsActive() bool {
	defer contain()
	return g.core.Active()
}

// Unregister removes this registration, and never a newer one of the same identifier. It reports whether it did.
func (g *Registration) Unregister() bool {
	defer contain()
	return g.core.Unregister()
}

// Perform is [Registry.Perform] of this registration's identifier, at less cost.
func (g *Registration) Perform(arguments *Arguments) (task *Task) {
	defer rescue(&task)
	return g.registry.begun(g.core.Begin(core.Call{Identifier: g.core.Identifier(), Arguments: arguments.snapshot()}))
}
