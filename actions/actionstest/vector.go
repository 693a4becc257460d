package actionstest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
)

// Vector is one case: what to do with a registry, and what must come of it. See the README beside the vector files.
type Vector struct {
	// About is one sentence: what the case states.
	About string
	// Host is what the registry is made with.
	Host HostSpec
	// Steps are done in order.
	Steps []Step
	// Effects are all effects in order; nil when the case does not say.
	Effects []any
}

// HostSpec describes the host of a vector.
type HostSpec struct {
	Platform, Version       string
	Notifications, Tracking string
	// Interceptor is "handled", "ignored", or "" for none.
	Interceptor string
	// Without names the capabilities that are missing.
	Without []string
	// Refuse says how a capability refuses: "blocked" or "failed".
	Refuse map[string]string
}

// Step is one thing to do.
type Step struct {
	// Do is what: register, unregister, dispose, perform, trigger, start, validate, capability or list.
	Do string
	// Subject is what it is done to: an identifier, for dispose the name of a registration; "" for start and list.
	Subject string
	// Handler names the handler to register; "" for none. As gives the registration a name.
	Handler, As string
	// Arguments are nil when there are none.
	Arguments map[string]any
	// Source is what causes a trigger.
	Source actions.Source
	// Expect must be part of the answer; nil when any answer will do.
	Expect map[string]any
}

// verbs are what a step may do.
var verbs = [...]string{"register", "unregister", "dispose", "perform", "trigger", "start", "validate", "capability", "list"}

// ReadVectors reads the vector files, which end in .json, of a directory and those below it; the key is the path in it.
func ReadVectors(dir string) (map[string][]Vector, error) {
	files := map[string][]Vector{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		vectors, err := ParseVectors(data)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		name, err := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = vectors
		return err
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: there is no vector file in this directory", dir)
	}
	return files, err
}

// ParseVectors reads one vector file.
func ParseVectors(data []byte) ([]Vector, error) {
	value, err := actionsjson.Decode(data)
	if err != nil {
		return nil, err
	}
	list, ok := value.([]any)
	if !ok {
		return nil, errors.New("a vector file holds an array of cases")
	}
	vectors := make([]Vector, len(list))
	for i, item := range list {
		object, ok := item.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("case %d is no object", i)
		}
		if vectors[i], err = parseVector(object); err != nil {
			return nil, fmt.Errorf("case %d (%v): %w", i, object["about"], err)
		}
	}
	return vectors, nil
}

func parseVector(object map[string]any) (Vector, error) {
	m := members{in: object}
	v := Vector{About: m.text("about"), Host: HostSpec{Platform: "ios", Notifications: "not_determined", Tracking: "not_determined"}}
	if host := m.object("host"); host != nil {
		h := members{in: host}
		h.override(&v.Host.Platform, "platform")
		h.override(&v.Host.Version, "version")
		h.override(&v.Host.Notifications, "notifications")
		h.override(&v.Host.Tracking, "tracking")
		h.override(&v.Host.Interceptor, "interceptor")
		for _, name := range h.list("without") {
			v.Host.Without = append(v.Host.Without, fmt.Sprint(name))
		}
		v.Host.Refuse = map[string]string{}
		for name, how := range h.object("refuse") {
			v.Host.Refuse[name] = fmt.Sprint(how)
		}
		m.fail(h.err)
	}
	for i, item := range m.list("steps") {
		step, err := parseStep(item)
		if err != nil {
			return v, fmt.Errorf("step %d: %w", i, err)
		}
		v.Steps = append(v.Steps, step)
	}
	v.Effects = m.list("effects")
	return v, m.err
}

func parseStep(item any) (Step, error) {
	object, ok := item.(map[string]any)
	if !ok {
		return Step{}, errors.New("is no object")
	}
	m := members{in: object}
	step := Step{Handler: m.text("handler"), As: m.text("as"), Arguments: m.object("arguments"), Expect: m.object("expect")}
	for _, verb := range verbs {
		value, is := object[verb]
		if !is {
			continue
		}
		if step.Do != "" {
			return step, fmt.Errorf("says both %q and %q", step.Do, verb)
		}
		step.Do = verb
		if verb != "start" && verb != "list" {
			if step.Subject, is = value.(string); !is {
				return step, fmt.Errorf("%q is no string", verb)
			}
		}
	}
	if step.Do == "" {
		return step, fmt.Errorf("says none of %q", verbs)
	}
	switch source := object["source"].(type) {
	case string:
		step.Source.Kind = source
	case map[string]any:
		s := members{in: source}
		step.Source = actions.Source{Kind: s.text("kind"), Payload: s.object("payload")}
		m.fail(s.err)
	}
	return step, m.err
}

// members reads an object and notes the first fault.
type members struct {
	in  map[string]any
	err error
}

func (m *members) fail(err error) {
	if m.err == nil {
		m.err = err
	}
}

func member[T any](m *members, name string) (value T) {
	if m.in[name] == nil {
		return value
	}
	value, ok := m.in[name].(T)
	if !ok {
		m.fail(fmt.Errorf("%q is of a wrong type", name))
	}
	return value
}

func (m *members) text(name string) string           { return member[string](m, name) }
func (m *members) list(name string) []any            { return member[[]any](m, name) }
func (m *members) object(name string) map[string]any { return member[map[string]any](m, name) }

func (m *members) override(text *string, name string) {
	if m.in[name] != nil {
		*text = m.text(name)
	}
}
