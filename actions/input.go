package actions

import (
	"slices"
	"strings"
	"sync/atomic"
)

// Problem is one reason why perform would refuse an action.
type Problem struct {
	// At is a JSON Pointer into the arguments, such as "/l" or "/actions/3/0"; "" for the action as a whole. A missing argument
	// is pointed at where it should be.
	At string
	// Status is the status that it leads to: [StatusInvalidArguments] or [StatusNotFound].
	Status Status
	// Message is one sentence: what is wrong, what was found, what is allowed.
	Message string
}

// input is what a built-in reads its arguments from. It notes every fault and goes on.
type input struct {
	registry  *Registry
	host      *Host
	arguments Arguments
	// deep has a group check its items as well.
	deep     bool
	prefix   string
	problems []Problem
}

func (in *input) refuse(pointer, message string) {
	in.problems = append(in.problems, Problem{in.prefix + pointer, StatusInvalidArguments, message})
}

// message puts all faults into one sentence.
func (in *input) message() string {
	messages := make([]string, len(in.problems))
	for i, problem := range in.problems {
		messages[i] = problem.Message
	}
	return strings.Join(messages, "; ")
}

func (in *input) wrong(name, required string) {
	in.refuse("/"+name, wrongArgument(name, in.arguments[name], required).Message)
}

// text reads a required string, which may be empty.
func (in *input) text(name string) string {
	text, ok := in.arguments[name].(string)
	if !ok {
		in.wrong(name, "a string")
	}
	return text
}

// visible reads a required string that must not be empty.
func (in *input) visible(name string) string {
	text, _ := in.arguments[name].(string)
	if text == "" {
		in.wrong(name, "a string that is not empty")
	}
	return text
}

// oneOf reads a required string that must be one of two.
func (in *input) oneOf(name, first, second string) string {
	text, ok := in.arguments[name].(string)
	if ok && text != first && text != second {
		in.refuse("/"+name, "argument "+quote(name)+" is "+quote(text)+", allowed are "+quote(first)+" and "+quote(second))
	} else if !ok {
		in.wrong(name, quote(first)+" or "+quote(second))
	}
	return text
}

// flag reads an optional boolean.
func (in *input) flag(name string) bool {
	flag, ok := in.arguments[name].(bool)
	if !ok && in.arguments.Has(name) {
		in.wrong(name, "true, false or nothing")
	}
	return flag
}

// optionalText reads a string or nothing.
func (in *input) optionalText(name string) *string {
	text, ok := in.arguments[name].(string)
	if ok {
		return &text
	}
	if in.arguments.Has(name) {
		in.wrong(name, "a string or nothing")
	}
	return nil
}

// optionalObject reads an object; nothing is an empty one.
func (in *input) optionalObject(name string) Arguments {
	object, ok := in.arguments[name].(map[string]any)
	if !ok {
		if in.arguments.Has(name) {
			in.wrong(name, "an object or nothing")
		}
		return Arguments{}
	}
	return object
}

// optionalTexts reads an array of strings; nothing is an empty one.
func (in *input) optionalTexts(name string) []string {
	list, ok := in.arguments[name].([]any)
	if !ok && in.arguments.Has(name) {
		in.wrong(name, "an array of strings or nothing")
	}
	texts := make([]string, len(list))
	for i, item := range list {
		text, ok := item.(string)
		if !ok {
			in.refuse("/"+name+"/"+decimal(i), "item "+decimal(i)+" of argument "+quote(name)+" is "+describe(item)+", a string is required")
		}
		texts[i] = text
	}
	return texts
}

// Validate gives every reason why perform would refuse these arguments, without any effect, sorted by place; none when it
// would not. For a group it looks into the items as well: each reason for which an item would be refused is here, although the
// group itself would run. Whether the host can do it is the business of [Registry.Capability].
func (r *Registry) Validate(identifier string, arguments Arguments) []Problem {
	call := Call{Identifier: identifier, Arguments: arguments}
	known := builtinNamed(identifier)
	if known == nil && r.Lookup(identifier) == nil {
		return []Problem{{Status: StatusNotFound, Message: notFound(identifier).Message}}
	}
	if problem := call.copy(); problem != nil {
		return []Problem{*problem}
	}
	if known == nil {
		return nil
	}
	in := input{registry: r, host: r.host.Load(), arguments: call.Arguments, deep: true}
	known.prepare(&in)
	slices.SortStableFunc(in.problems, func(a, b Problem) int { return strings.Compare(a.At, b.At) })
	return in.problems
}

// firstOnly is true once.
type firstOnly struct{ asked atomic.Bool }

func (f *firstOnly) first() bool { return f.asked.CompareAndSwap(false, true) }
