package actions

// Handler is the code of an action. What it returns ends the action: a value, or an error, which makes it failed. A handler
// that finishes later returns a *[Completion] (or a *[Task], to end as that one does) as its value.
//
// Handlers are called in the goroutine that asked for the action, outside every lock, and concurrently when several goroutines
// ask. They may register, unregister and perform. A panic makes the action failed.
type Handler func(Invocation) (value any, err error)

// Invocation is what a handler is given.
type Invocation struct {
	registry   *Registry
	identifier string
	arguments  Arguments
	source     Source
	depth      int
	item       int
}

// Identifier gives the identifier as it was registered, not as it was asked for.
func (i Invocation) Identifier() string { return i.identifier }

// Arguments gives the arguments. They belong to the handler; they are never nil.
func (i Invocation) Arguments() Arguments {
	if i.arguments == nil {
		return Arguments{}
	}
	return i.arguments
}

// Source says what caused the action to run. An item of a group has the group's source.
func (i Invocation) Source() Source { return i.source }

// Item gives the position in the group that runs this action, from 0, or -1 when no group does. A surface that keeps argument
// objects of its own finds the item's arguments by it.
func (i Invocation) Item() int { return i.item }

// Depth counts the performs that this one is inside of. See [Call].
func (i Invocation) Depth() int { return i.depth }

// Perform performs another action from inside this one and waits for its result. Unlike [Registry.Perform] it keeps count of the nesting
// wherever it is called from, also in a goroutine of the handler's, so that actions that perform each other for ever fail instead.
func (i Invocation) Perform(identifier string, arguments Arguments) Result {
	return i.registry.perform(i.nested(identifier, arguments))
}

// PerformAsync is Perform without waiting.
func (i Invocation) PerformAsync(identifier string, arguments Arguments) *Task {
	return i.registry.performAsync(i.nested(identifier, arguments))
}

func (i Invocation) nested(identifier string, arguments Arguments) Call {
	return Call{Identifier: identifier, Arguments: arguments, Depth: i.depth + 1}
}
