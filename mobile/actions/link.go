package actions

import (
	"maps"
	"slices"
	"sync"
	"time"

	core "github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
)

const (
	// maxWaiting bounds the messages that wait for a playground, and maxPosted those of one post.
	maxWaiting, maxPosted = 256, 100
	// room is what a message has for values, beside its other members.
	room = maxMessage - 4_096
	// maxBody bounds a post, and the actions of the first one: half of what a server takes.
	maxBody = 512 << 10

	cutReason  = "values were left out of messages: a message has at most 65536 bytes and 12 levels"
	lostReason = "messages were dropped, the oldest first: 256 waited for the playground already"
)

// PlaygroundLink carries between a registry and a playground: it takes calls and gives messages, as JSON. The class Playground of the
// debug artefacts sends them. No perform waits for it, and what it keeps is bounded.
type PlaygroundLink struct {
	registry *Registry
	wake     chan struct{}

	mutex sync.Mutex
	// waiting are messages, one JSON object each.
	waiting [][]byte
	omitted map[string]int
	// running are the calls of the playground that have not ended.
	running map[string]*Task
	// descriptions are those of actions: title, sample and schema.
	descriptions map[string]map[string]any
	// actions, state and held are what was told last; capabilities and permissions what is known.
	actions                   []string
	held                      int
	capabilities, permissions map[string]any
	// changed says that actions may have, fresh that the state was asked for, asking that it is on its way.
	changed, fresh, asking, closed bool
}

// PlaygroundLink begins to watch this registry for a playground; an earlier link of it ends.
func (r *Registry) PlaygroundLink() *PlaygroundLink {
	defer contain()
	l := &PlaygroundLink{registry: r, wake: make(chan struct{}, 1), omitted: map[string]int{}, running: map[string]*Task{},
		descriptions: map[string]map[string]any{}, capabilities: map[string]any{}, permissions: map[string]any{}}
	if earlier := r.link.Swap(l); earlier != nil {
		earlier.end()
	}
	r.core.Observe(&core.Observer{Begun: l.begun, Changed: l.change})
	return l
}

// Describe tells the playground what an action is: an object of JSON with a title, a sample of arguments, and their schema.
func (l *PlaygroundLink) Describe(identifier, description string) (err error) {
	defer containAs(&err)
	read, err := actionsjson.DecodeArguments([]byte(description))
	if err != nil {
		return leaving(err, CodeInvalidJSON)
	}
	l.mutex.Lock()
	l.descriptions[identifier] = read
	l.actions = slices.DeleteFunc(l.actions, func(told string) bool { return told == identifier })
	l.mutex.Unlock()
	l.change()
	return nil
}

// Hello gives the body with which the app joins, of an object of JSON that says who it is.
func (l *PlaygroundLink) Hello(about string) (json string, err error) {
	defer containAs(&err)
	hello, err := actionsjson.DecodeArguments([]byte(about))
	if err != nil {
		return "", leaving(err, CodeInvalidJSON)
	}
	l.mutex.Lock()
	l.actions, l.held = nil, l.registry.core.Held()
	list, size := []any{}, 0
	for _, identifier := range l.registry.core.List() {
		action := l.described(identifier)
		text, err := actionsjson.Append(nil, action)
		if size += len(text) + 1; err != nil || size > maxBody {
			break // the rest follows as registered
		}
		list, l.actions = append(list, action), append(l.actions, identifier)
	}
	hello["protocol"], hello["actions"], hello["held"] = int64(1), list, int64(l.held)
	l.mutex.Unlock()
	l.change()
	text, err := actionsjson.Append(nil, map[string]any(hello))
	return string(text), leaving(err, CodeInvalidJSON)
}

// described gives an action with its description, unless that is more than a message has room for. The lock is held.
func (l *PlaygroundLink) described(identifier string) map[string]any {
	object := map[string]any{}
	maps.Copy(object, l.descriptions[identifier])
	object["identifier"] = valid(identifier)
	if text, err := actionsjson.Append(nil, object); err != nil || len(text) > room {
		l.omitted[cutReason]++
		return map[string]any{"identifier": valid(identifier)}
	}
	return object
}

// Receive takes an event of the playground: "call" or "cancel", with its data. Actions are performed on the worker.
func (l *PlaygroundLink) Receive(event, data string) {
	defer contain()
	read, err := actionsjson.DecodeArguments([]byte(data))
	name, _ := read["call"].(string)
	if err != nil || name == "" {
		return
	}
	if event == "cancel" {
		l.ended(name).Cancel()
		return
	}
	task := &Task{registry: l.registry}
	perform, isPerform := read["perform"].(map[string]any)
	trigger, isTrigger := read["trigger"].(map[string]any)
	switch {
	case event != "call" || !isPerform && !isTrigger:
		return
	case isTrigger:
		perform = trigger
	}
	call := core.Call{Owned: true, Quiet: true}
	call.Identifier, _ = perform["identifier"].(string)
	call.Arguments, _ = perform["arguments"].(map[string]any)
	if source, given := perform["source"].(map[string]any); given {
		call.Source.Kind, _ = source["kind"].(string)
		call.Source.Payload, _ = source["payload"].(map[string]any)
	}
	l.mutex.Lock()
	l.running[name] = task
	l.mutex.Unlock()
	if limit, given := read["deadline_ms"].(int64); given {
		timer := time.AfterFunc(duration(limit), func() { task.Cancel() })
		task.then(func(core.Result) { timer.Stop() })
	}
	if isTrigger {
		l.trigger(task, name, call)
		return
	}
	task.then(func(result core.Result) {
		l.answer(name, result)
		l.ask()
	})
	l.registry.background(task, call)
}

// trigger triggers a call. One that is held is answered by that, and tells later what it has come to.
func (l *PlaygroundLink) trigger(task *Task, name string, call core.Call) {
	begin := func() {
		ended := l.begun(core.Call{Identifier: call.Identifier, Arguments: call.Arguments, Source: call.Source})
		running, held := l.registry.core.TriggerCall(call)
		if held {
			l.ended(name)
			l.add(map[string]any{"type": "held", "call": name, "count": int64(l.registry.core.Held())}, 0)
			running.Then(ended)
			return
		}
		task.then(func(result core.Result) { l.answer(name, result) })
		task.run(running)
	}
	l.registry.worker.submit("a trigger of the playground", begin, func(why string) { l.answer(name, failed(why)) })
}

// ended forgets a call and gives its task.
func (l *PlaygroundLink) ended(call string) *Task {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	task := l.running[call]
	delete(l.running, call)
	if task == nil {
		task = new(Task)
	}
	return task
}

// answer tells the result of a call.
func (l *PlaygroundLink) answer(call string, result core.Result) {
	l.ended(call)
	trimmed := &trimmer{left: room}
	l.add(map[string]any{"type": "result", "call": call, "result": trimmed.result(result, 2)}, trimmed.cut)
}

// begun is told of a perform of the app's own.
func (l *PlaygroundLink) begun(call core.Call) func(core.Result) {
	trimmed := &trimmer{left: room / 2}
	source := map[string]any{"kind": SourceManual}
	if call.Source.Kind != "" {
		source["kind"] = trimmed.text(valid(call.Source.Kind))
	}
	if call.Source.Payload != nil {
		source["payload"] = trimmed.value(call.Source.Payload, 3)
	}
	message := map[string]any{"type": "performed", "identifier": trimmed.text(valid(call.Identifier)), "source": source,
		"arguments": trimmed.object(call.Arguments, 2)}
	return func(result core.Result) {
		trimmed.left = max(trimmed.left, 0) + room/2
		if l.registry.core.IsBuiltin(call.Identifier) {
			l.ask() // it may have changed a permission
		}
		message["result"] = trimmed.result(result, 2)
		l.add(message, trimmed.cut)
	}
}

// add has a message wait, of which a number of values was left out.
func (l *PlaygroundLink) add(message map[string]any, cut int) {
	text, err := actionsjson.Append(nil, message)
	if err != nil || len(text) > maxMessage {
		// A number that is none, or more than values that are large.
		message["result"], cut = map[string]any{"status": StatusFailed, "message": "this result cannot be shown"}, cut+1
		delete(message, "arguments")
		if text, err = actionsjson.Append(nil, message); err != nil || len(text) > maxMessage {
			text = nil
		}
	}
	l.mutex.Lock()
	if cut > 0 {
		l.omitted[cutReason] += cut
	}
	if text != nil && !l.closed {
		l.waiting = append(l.waiting, text)
	}
	if len(l.waiting) > maxWaiting {
		l.waiting = slices.Delete(l.waiting, 0, 1)
		l.omitted[lostReason]++
	}
	l.mutex.Unlock()
	l.stir()
}

// stir wakes who waits for messages.
func (l *PlaygroundLink) stir() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// change is told that something is otherwise in the registry.
func (l *PlaygroundLink) change() {
	l.mutex.Lock()
	l.changed = true
	l.mutex.Unlock()
	l.stir()
	l.ask()
}

// ask has the capabilities and permissions asked for on the worker, since hosts are the app's.
func (l *PlaygroundLink) ask() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.asking || l.closed {
		return
	}
	l.asking = true
	l.registry.worker.post("the state for the playground", func() {
		l.mutex.Lock()
		l.asking = false
		l.mutex.Unlock()
		states := map[string]any{}
		for _, builtin := range core.Builtins() {
			states[builtin.Identifier] = string(l.registry.core.Capability(builtin.Identifier))
		}
		l.learn(&l.capabilities, states)
		host := l.registry.core.Host()
		if host.Notifications != nil {
			host.Notifications.NotificationStatus(l.permission("notifications"))
		}
		if host.Tracking != nil {
			host.Tracking.TrackingStatus(l.permission("tracking"))
		}
	})
}

func (l *PlaygroundLink) permission(name string) func(core.Permission, error) {
	return func(permission core.Permission, _ error) {
		switch string(permission) {
		case PermissionNotDetermined, PermissionDenied, PermissionAuthorized, PermissionRestricted:
			l.learn(&l.permissions, map[string]any{name: string(permission)})
		}
	}
}

// learn takes in parts of the state.
func (l *PlaygroundLink) learn(state *map[string]any, parts map[string]any) {
	l.mutex.Lock()
	merged := maps.Clone(*state)
	maps.Copy(merged, parts)
	if !maps.Equal(merged, *state) {
		*state, l.fresh = merged, true
	}
	l.mutex.Unlock()
	l.stir()
}

// Next waits for something to tell, for a number of milliseconds at most, and gives the body of a post, or "" once the link is closed.
func (l *PlaygroundLink) Next(milliseconds int64) (body string) {
	defer contain()
	limit := time.NewTimer(duration(milliseconds))
	defer limit.Stop()
	for late := false; ; {
		messages, closed := l.messages()
		switch {
		case closed:
			return ""
		case len(messages) == 0 && late:
			l.ask()
			messages = append(messages, []byte(`{"type":"alive"}`))
		}
		if len(messages) > 0 {
			text := []byte(`{"messages":[`)
			for i, message := range messages {
				if i > 0 {
					text = append(text, ',')
				}
				text = append(text, message...)
			}
			return string(append(text, "]}"...))
		}
		select {
		case <-l.wake:
		case <-limit.C:
			late = true
		}
	}
}

// messages takes what is to be told now, as much as one post may have.
func (l *PlaygroundLink) messages() (messages [][]byte, closed bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.closed && len(l.waiting) == 0 {
		return nil, true
	}
	size := 0
	tell := func(message map[string]any) (more bool) {
		if text, err := actionsjson.Append(nil, message); err == nil && len(text) <= maxMessage {
			messages, size = append(messages, text), size+len(text)+1
		}
		return len(messages) < maxPosted/2 && size < maxBody-4*maxMessage // the state follows, and one that waits
	}
	if l.changed {
		l.changed = !l.tellActions(tell)
	}
	if l.fresh {
		l.fresh = false
		tell(map[string]any{"type": "capabilities", "capabilities": l.capabilities, "permissions": l.permissions})
	}
	for reason, count := range l.omitted {
		tell(map[string]any{"type": "omitted", "count": int64(count), "reason": reason})
	}
	clear(l.omitted)
	most := min(size+maxMessage, maxBody)
	for first := true; len(l.waiting) > 0 && len(messages) < maxPosted && (first || size+len(l.waiting[0]) <= most); first = false {
		size += len(l.waiting[0])
		messages, l.waiting = append(messages, l.waiting[0]), l.waiting[1:]
	}
	if l.changed || len(l.waiting) > 0 {
		l.stir()
	}
	return messages, false
}

// tellActions tells which actions came and went, and how many triggers are held. It reports whether that was all. The lock is held.
func (l *PlaygroundLink) tellActions(tell func(map[string]any) bool) (all bool) {
	now := l.registry.core.List()
	for i := 0; i < len(l.actions); {
		identifier := l.actions[i]
		if slices.Contains(now, identifier) {
			i++
			continue
		}
		more := tell(map[string]any{"type": "unregistered", "identifier": valid(identifier)})
		if l.actions = slices.Delete(l.actions, i, i+1); !more {
			return false
		}
	}
	for _, identifier := range now {
		if slices.Contains(l.actions, identifier) {
			continue
		}
		more := tell(map[string]any{"type": "registered", "action": l.described(identifier)})
		if l.actions = append(l.actions, identifier); !more {
			return false
		}
	}
	if held := l.registry.core.Held(); held != l.held {
		l.held = held
		tell(map[string]any{"type": "held", "count": int64(held)})
	}
	return true
}

// Close ends the link. Calls that are under way go on, and what waits can still be taken.
func (l *PlaygroundLink) Close() {
	defer contain()
	l.mutex.Lock()
	l.closed = true
	l.mutex.Unlock()
	l.stir()
	if l.registry.link.CompareAndSwap(l, nil) {
		l.registry.core.Observe(nil)
	}
}

func (l *PlaygroundLink) end() {
	l.mutex.Lock()
	l.closed, l.waiting = true, nil
	l.mutex.Unlock()
	l.stir()
}
