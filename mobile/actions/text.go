package actions

import (
	core "github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
)

// JSONAction is an [Action] that is given a text and gives one, for what is performed very often: no object crosses to the app.
type JSONAction interface {
	// PerformJSON is given the arguments as a JSON object, and gives the value of the result as JSON, "" for none. Returning ends the
	// action as performed; throwing, or giving what is no JSON, ends it as failed.
	PerformJSON(arguments string) (value string, err error)
}

// RegisterJSON is [Registry.Register] for a [JSONAction].
func (r *Registry) RegisterJSON(identifier string, action JSONAction) (registration *Registration, err error) {
	defer containAs(&err)
	registered, err := r.core.Register(identifier, r.jsonHandler(action))
	if err != nil {
		return nil, leaving(err, CodeInternal)
	}
	return &Registration{r, registered}, nil
}

// jsonHandler makes what the core registers of an action of texts.
func (r *Registry) jsonHandler(action JSONAction) core.Handler {
	if action == nil {
		return nil
	}
	return func(call core.Invocation) (any, error) {
		arguments := "{}"
		if given := call.Arguments(); len(given) > 0 {
			var err error
			if arguments, err = toJSON(map[string]any(given)); err != nil {
				return nil, err
			}
		}
		value, err := r.performJSON(action, call, arguments)
		if err != nil || value == "" {
			return nil, err
		}
		read, err := actionsjson.Decode([]byte(value))
		if err != nil {
			return nil, &thrown{text: "the value that the action gave is no JSON: " + valid(err.Error())}
		}
		return read, nil
	}
}

// performJSON calls the action and gives what it gave or threw.
func (r *Registry) performJSON(action JSONAction, call core.Invocation, arguments string) (string, error) {
	defer r.watchdog.end(r.watchdog.beginAction(call.Identifier()))
	value, err := action.PerformJSON(arguments)
	return value, caught(err)
}

// Caller performs actions by texts alone: one call over, the status and the text of the result back, and no object that both garbage
// collectors have to let go of. It may be used from any thread, for one perform at a time: code that performs on several threads at
// once, or from inside of what it performs, makes one for each.
type Caller struct {
	registry *Registry
	task     *Task
}

// Caller makes a caller.
func (r *Registry) Caller() *Caller {
	defer contain()
	return &Caller{registry: r}
}

// Perform is [Registry.Perform] with the arguments as a JSON object, "" for none. It gives what [Result.JSON] gives, and in two cases
// less: "" for an action that was performed at once and has nothing else to say, and [CallerGoesOn] for one that has not ended, of which
// [Caller.Task] tells the rest. A text that is no JSON object gives [StatusInvalidArguments].
func (c *Caller) Perform(identifier, arguments string) (json string) {
	defer contain()
	json = panicked
	c.task = c.registry.performText(c.registry.core.Begin, core.Call{Identifier: identifier}, arguments)
	return c.task.text()
}

// Task gives the task of the last perform, or null when there was none since [Caller.Close].
func (c *Caller) Task() *Task {
	defer contain()
	return c.task
}

// Close lets go of the last task and what it holds at once, instead of when the app's garbage is collected. The caller may be used again.
func (c *Caller) Close() {
	defer contain()
	c.task = nil
}

// PerformJSON is [Caller.Perform] of this registration's identifier, at less cost. Nobody is told what an action comes to that goes on.
func (g *Registration) PerformJSON(arguments string) (json string) {
	defer contain()
	json = panicked
	return g.registry.performText(g.core.Begin, core.Call{}, arguments).text()
}

// panicked is what a perform has come to that this library has broken.
const panicked = `{"status":"failed","message":"this library panicked"}`

// performText begins a perform with arguments that are a text.
func (r *Registry) performText(begin func(core.Call) (core.Result, *core.Task), call core.Call, arguments string) (task *Task) {
	defer rescue(&task)
	if arguments != "" {
		read, err := actionsjson.DecodeArguments([]byte(arguments))
		if err != nil {
			return &Task{registry: r, done: true, result: core.Result{Status: core.StatusInvalidArguments, Message: valid(err.Error())}}
		}
		call.Arguments, call.Owned = read, true
	}
	return r.begun(begin(call))
}

// text is what has come of a task, for [Caller.Perform].
func (t *Task) text() string {
	if t.registry != nil && t == t.registry.performed {
		return ""
	}
	result := t.Result()
	if result == nil {
		return CallerGoesOn
	}
	text, err := result.JSON()
	if err != nil { // a value that JSON cannot hold
		text, _ = (&Result{failed(err.Error())}).JSON()
	}
	return text
}
