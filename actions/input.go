package actions

import "slices"

// parameter is one argument of a built-in.
type parameter struct {
	name string
	kind kind
}

// kind is what an argument must be. For the optional ones null is nothing.
type kind int

const (
	text        kind = iota
	visibleText      // a text that is not empty
	addOrRemove
	array
	optionalFlag
	optionalText
	optionalTexts
	optionalObject
)

// String completes the sentence that it is required.
func (k kind) String() string {
	switch k {
	case text:
		return "a string"
	case visibleText:
		return "a string that is not empty"
	case addOrRemove:
		return `"add" or "remove"`
	case array:
		return "an array"
	case optionalFlag:
		return "true, false or nothing"
	case optionalText:
		return "a string or nothing"
	case optionalTexts:
		return "an array of strings or nothing"
	}
	return "an object or nothing"
}

// fits reports whether a value is of this kind. The items of an array are not looked at.
func (k kind) fits(value any) bool {
	switch value := value.(type) {
	case nil:
		return k >= optionalFlag
	case bool:
		return k == optionalFlag
	case string:
		switch k {
		case visibleText:
			return value != ""
		case addOrRemove:
			return value == "add" || value == "remove"
		}
		return k == text || k == optionalText
	case []any:
		return k == array || k == optionalTexts
	case map[string]any:
		return k == optionalObject
	}
	return false
}

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

// input is where a built-in's arguments are checked. Validation and perform both do it here, so that they cannot differ. Every
// fault is noted.
type input struct {
	registry  *Registry
	host      *Host
	arguments Arguments
	// deep has a group check its items as well.
	deep     bool
	prefix   string
	problems []Problem
}

// read checks all arguments of a built-in.
func (in *input) read(b *builtin) {
	told := false
	for _, p := range b.parameters {
		value := in.arguments[p.name]
		if !p.kind.fits(value) {
			message := wrongArgument(p.name, value, p.kind.String()).Message
			if value == nil && !told {
				told = true
				if unknown := in.unknown(b); unknown != "" {
					message = say("?, given were ?", message, unknown)
				}
			}
			in.refuse("/"+p.name, message)
		} else if p.kind == optionalTexts {
			list, _ := value.([]any)
			for i, item := range list {
				if _, ok := item.(string); !ok {
					in.refuse(say("/?/?", p.name, decimal(i)), say("item ? of argument $ is ?, a string is required", decimal(i), p.name, describe(item)))
				}
			}
		}
	}
	if b.check != nil {
		b.check(in)
	}
}

// mostUnknown is how many arguments that a built-in does not have one message names.
const mostUnknown = 4

// unknown names the arguments that the built-in does not have, for they may be misspelt ones: the first few in the order of their
// code points.
func (in *input) unknown(b *builtin) string {
	var found []string
	for name := range in.arguments {
		if !b.has(name) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	names := ""
	for i, name := range found[:min(len(found), mostUnknown)] {
		if i > 0 {
			names += ", "
		}
		names = say("?$", names, name)
	}
	if len(found) > mostUnknown {
		names += ", …"
	}
	return names
}

func (in *input) refuse(pointer, message string) {
	in.problems = append(in.problems, Problem{in.prefix + pointer, StatusInvalidArguments, message})
}

// mostNamed is how many faults one message names.
const mostNamed = 20

// message puts the faults into one sentence.
func (in *input) message() string {
	var message []byte
	for i, problem := range in.problems {
		if i == mostNamed {
			return string(append(message, say("; and ? more", decimal(len(in.problems)-mostNamed))...))
		}
		if i > 0 {
			message = append(message, "; "...)
		}
		message = append(message, problem.Message...)
	}
	return string(message)
}

// Validate gives every reason why perform would refuse these arguments, without any effect; none when it would not. They come
// in the order of the specification's table. For a group it looks into the items as well: each reason for which an item would be
// refused is here, although the group itself would run. Whether the host can do it is the business of [Registry.Capability].
func (r *Registry) Validate(identifier string, arguments Arguments) []Problem {
	call := Call{Identifier: identifier, Arguments: arguments}
	known := r.builtinNamed(identifier)
	if known == nil && r.Lookup(identifier) == nil {
		return []Problem{{Status: StatusNotFound, Message: r.notFound(identifier)}}
	}
	if problem := call.copy(); problem != nil {
		return []Problem{*problem}
	}
	if known == nil {
		return nil
	}
	in := input{registry: r, host: r.host.Load(), arguments: call.Arguments, deep: true}
	in.read(known)
	return in.problems
}
