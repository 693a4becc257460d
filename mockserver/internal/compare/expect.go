package compare

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare/conversation"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pattern"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// unmet notes that something expected is not so.
func (s *speaker) unmet(format string, arguments ...any) {
	if text := fmt.Sprintf(format, arguments...); !slices.Contains(s.said.Unmet, text) {
		s.said.Unmet = append(s.said.Unmet, text)
	}
}

// shape holds a header or a member against what is expected. It does not say what is there.
func (s *speaker) shape(what, found string, there bool, want conversation.Shape) {
	if want.There != nil && *want.There != there {
		s.unmet("%s is %s", what, map[bool]string{true: "there", false: "missing"}[there])
		return
	}
	if !there {
		if want.There == nil {
			s.unmet("%s is missing", what)
		}
		return
	}
	if want.OneOf != nil && !slices.ContainsFunc(want.OneOf, func(one any) bool { return fmt.Sprint(s.values.JSON(one)) == found }) {
		s.unmet("%s is none of %s", what, strings.Trim(fmt.Sprint(want.OneOf), "[]"))
	}
	if want.Like != "" && !regexp.MustCompile(want.Like).MatchString(found) { // it was compiled when it was read
		s.unmet("%s does not match %s", what, want.Like)
	}
	if want.Not != "" && found == s.values.Text(want.Not) {
		s.unmet("%s is %s still", what, want.Not)
	}
}

// file notes facts about a file, and holds it against what is expected.
func (s *speaker) file(step *conversation.Step, received *answer) error {
	defer received.body.Close()
	on, fits := s.fits(step)
	read, err := readFile(s.said.Facts, s.library, step.File, received.header.Get("Content-Encoding"), received.body, on)
	if fault := fits(); err == nil && fault != "" && read.rows < mostRows {
		s.unmet("not every row fits %s: %s", step.File, fault)
	}
	if err != nil {
		return fmt.Errorf("the file cannot be read: %w", err)
	}
	if step.Expect.File.Columns != nil && !slices.Equal(read.columns, step.Expect.File.Columns) {
		s.unmet("the columns are not %s", strings.Join(step.Expect.File.Columns, ", "))
	}
	switch {
	case step.Expect.File.Rows == "some" && read.rows == 0:
		s.unmet("the file has no rows")
	case step.Expect.File.Rows == "none" && read.rows > 0:
		s.unmet("the file has rows")
	}
	for place, allowed := range step.Expect.File.Values {
		for value := range read.values[place] {
			if !slices.ContainsFunc(allowed, func(one any) bool { return fmt.Sprint(one) == value }) {
				s.unmet("%s has other values than %s", place, strings.Trim(fmt.Sprint(allowed), "[]"))
			}
		}
	}
	for place, since := range step.Expect.File.Since {
		if bounds, there := read.dates[place]; there && bounds[0] < s.values.Text(since) {
			s.unmet("%s has dates before %s", place, since)
		}
	}
	for place, until := range step.Expect.File.Until {
		if bounds, there := read.dates[place]; there && bounds[1] >= s.values.Text(until) {
			s.unmet("%s has dates that are not before %s", place, until)
		}
	}
	return s.capture(step, received, nil)
}

// fits holds what is written against the schema of a file, if that is expected; the function says what does not fit first.
func (s *speaker) fits(step *conversation.Step) (io.Writer, func() string) {
	if !step.Expect.File.Fits {
		return io.Discard, func() string { return "" }
	}
	reader, writer := io.Pipe()
	verdict := make(chan string)
	go func() {
		first := ""
		_, err := s.library.CheckFile(step.File, reader, func(fault schemas.Fault) bool {
			first = shownPointer(numbered().ReplaceAllString(fault.Pointer, "/*$1")) + " (" + fault.Keyword + ")"
			return false
		})
		if first == "" && err != nil {
			first = "it cannot be read"
		}
		_, _ = io.Copy(io.Discard, reader) // so that nobody waits for it
		verdict <- first
	}()
	return writer, func() string {
		_ = writer.Close() // it never fails
		return <-verdict
	}
}

// numbered are the numbers of items in a pointer.
var numbered = pattern.Of(`/[0-9]+(/|$)`)

// at is the value at a JSON Pointer.
func at(value any, pointer string) (any, bool) {
	if pointer == "" {
		return value, value != nil
	}
	for _, part := range strings.Split(pointer, "/")[1:] {
		part = strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
		switch of := value.(type) {
		case map[string]any:
			member, there := of[part]
			if !there {
				return nil, false
			}
			value = member
		case []any:
			index, err := strconv.Atoi(part)
			if err != nil || index < 0 || index >= len(of) {
				return nil, false
			}
			value = of[index]
		default:
			return nil, false
		}
	}
	return value, true
}

// Fits tells whether the schemas that conversations name are there.
func Fits(library *schemas.Library, conversations []*conversation.Conversation) error {
	for _, each := range conversations {
		for _, step := range each.Steps {
			for _, name := range []string{step.File, step.Expect.Schema} {
				if name != "" && library.Schema(name) == nil {
					return fmt.Errorf("%s, step %s: there is no schema %s; mockserver schemas list shows all", each.Name, step.Name, name)
				}
			}
		}
	}
	return nil
}
