package schemas

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Validate checks a value against a schema, named as [Library.Resolve] takes it. The value is what
// [Decode] or encoding/json makes of JSON; anything else, such as a map of strings or a struct, is first
// turned into JSON. A value that does not fit gives an [*InvalidError].
func (l *Library) Validate(name string, value any) error {
	file, err := l.Resolve(name)
	if err != nil {
		return err
	}
	problems, err := l.check(l.Schema(file), value)
	if err != nil {
		return fmt.Errorf("cannot check against %s: %w", file, err)
	}
	if len(problems) > 0 {
		return Invalid(file, problems)
	}
	return nil
}

// check validates against one compiled schema, turning values that are no plain JSON into it.
func (l *Library) check(s *jsonschema.Schema, value any) (problems []Problem, err error) {
	found, err := l.validateBeginning(s, value)
	var foreign jsonschema.InvalidJSONTypeError
	if errors.As(err, &foreign) {
		data, encodeErr := json.Marshal(value)
		if encodeErr != nil {
			return nil, encodeErr
		}
		if value, err = Decode(data); err != nil {
			return nil, err
		}
		found, err = l.validateBeginning(s, value)
	}
	if err != nil || found == nil {
		return nil, err
	}
	return l.flatten(found, value), nil
}

// mostItems is how many items of an array, and unknown members of an object, are looked at first.
const mostItems = 2000

// validateBeginning validates a value whose long arrays and objects are cut, and the whole value only when the rest
// of it is in order: the validator explains every single item, which for a megabyte of them takes seconds.
func (l *Library) validateBeginning(s *jsonschema.Schema, value any) (*jsonschema.ValidationError, error) {
	if beginning, isShorter := l.shortened(value); isShorter {
		if found, err := validate(s, beginning); found != nil || err != nil {
			return found, err
		}
	}
	return validate(s, value)
}

// shortened copies a value without the items of its arrays beyond mostItems, and without as many members of its
// objects that no schema names; false if there are none.
func (l *Library) shortened(value any) (beginning any, isShorter bool) {
	switch v := value.(type) {
	case []any:
		list := v[:min(len(v), mostItems)]
		isShorter = len(list) < len(v)
		copied := make([]any, len(list))
		for i, item := range list {
			var itemIsShorter bool
			copied[i], itemIsShorter = l.shortened(item)
			isShorter = isShorter || itemIsShorter
		}
		beginning = copied
	case map[string]any:
		var named map[string]bool
		if len(v) > mostItems {
			named = map[string]bool{}
			for _, s := range l.shelf.Places() {
				for name := range s.Properties {
					named[name] = true
				}
			}
		}
		copied, rest := make(map[string]any, min(len(v), 2*mostItems)), mostItems
		for name, member := range v {
			if !named[name] && len(v) > mostItems {
				if rest--; rest < 0 {
					isShorter = true
					continue
				}
			}
			var memberIsShorter bool
			copied[name], memberIsShorter = l.shortened(member)
			isShorter = isShorter || memberIsShorter
		}
		beginning = copied
	default:
		return value, false
	}
	if !isShorter {
		return value, false
	}
	return beginning, true
}

// validate runs the validator: an invalid value is found, anything else that stops it is an error. The
// validator panics on numbers beyond its own limits, which Decode refuses.
func validate(s *jsonschema.Schema, value any) (found *jsonschema.ValidationError, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("the value is beyond what can be checked: %v", reason)
		}
	}()
	err = s.Validate(value)
	if errors.As(err, &found) {
		return found, nil
	}
	return nil, err
}

// problems validates a value that is plain JSON.
func (l *Library) problems(s *jsonschema.Schema, value any) []Problem {
	problems, err := l.check(s, value)
	if err != nil {
		return []Problem{{Keyword: "type", Message: err.Error()}}
	}
	return problems
}
