package conversation

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// SchemaName is the schema of a conversation.
const SchemaName = "mock/conversation.json"

//go:embed default
var embedded embed.FS

// Default are the conversations of the program.
func Default(library *schemas.Library) ([]*Conversation, error) {
	files, err := fs.Sub(embedded, "default")
	if err != nil {
		return nil, err
	}
	return Load(library, files)
}

// mostBytes is the size of the largest file.
const mostBytes = 1 << 20

// Load reads the conversations of a directory, by name. Errors name the file and, for what does not fit the schema, the member.
func Load(library *schemas.Library, files fs.FS) ([]*Conversation, error) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, err
	}
	var made []*Conversation
	for _, entry := range entries {
		if extension := path.Ext(entry.Name()); entry.IsDir() || !slices.Contains([]string{".yaml", ".yml", ".json"}, extension) {
			continue
		}
		if information, err := entry.Info(); err == nil && information.Size() > mostBytes {
			return nil, fmt.Errorf("%s is larger than a megabyte: a conversation is not", entry.Name())
		}
		text, err := fs.ReadFile(files, entry.Name())
		if err != nil {
			return nil, err
		}
		read, err := Read(library, text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name(), err)
		}
		read.Name = strings.TrimSuffix(entry.Name(), path.Ext(entry.Name()))
		if slices.ContainsFunc(made, func(c *Conversation) bool { return c.Name == read.Name }) {
			return nil, fmt.Errorf("%s: there is a conversation %s already: rename one of the files", entry.Name(), read.Name)
		}
		made = append(made, read)
	}
	return made, nil
}

// Read reads one conversation, in YAML or JSON.
func Read(library *schemas.Library, text []byte) (*Conversation, error) {
	var document any
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	plain, err := json.Marshal(document)
	if err != nil {
		return nil, fmt.Errorf("it has what JSON has not: %w", err)
	}
	value, err := schemas.Decode(plain)
	if err != nil {
		return nil, err
	}
	if err := library.Validate(SchemaName, value); err != nil {
		return nil, err
	}
	made := &Conversation{}
	decoder := json.NewDecoder(bytes.NewReader(plain))
	decoder.UseNumber()
	if err := decoder.Decode(made); err != nil {
		return nil, err
	}
	return made, made.check()
}

// check finds what no schema says.
func (c *Conversation) check() error {
	seen := map[string]bool{}
	for i, each := range c.Steps {
		place := fmt.Sprintf("/steps/%d", i)
		if seen[each.Name] {
			return fmt.Errorf("%s/name: %q is the name of two steps; give each its own", place, each.Name)
		}
		seen[each.Name] = true
		if each.Poll != nil && each.Request.Verb() != "GET" {
			return fmt.Errorf("%s/poll: the method is %s; only GET is sent again and again", place, each.Request.Verb())
		}
		if each.Request != nil && (each.Request.Path == "") == (each.Request.URL == "") {
			return fmt.Errorf("%s/request: it has both path and url, or neither; name one", place)
		}
		for kind, shapes := range map[string]map[string]Shape{"headers": each.Expect.Headers, "members": each.Expect.Members} {
			for name, shape := range shapes {
				if _, err := regexp.Compile(shape.Like); err != nil {
					return fmt.Errorf("%s/expect/%s/%s/like: %w", place, kind, name, err)
				}
			}
		}
	}
	return nil
}

// Together are conversations with others, which come in the place of those of the same name. What only reads is first,
// and then what makes the fewest exports.
func Together(conversations, others []*Conversation) []*Conversation {
	made := slices.DeleteFunc(slices.Clone(conversations), func(c *Conversation) bool {
		return slices.ContainsFunc(others, func(o *Conversation) bool { return o.Name == c.Name })
	})
	made = append(made, others...)
	rank := func(c *Conversation) int {
		if c.ReadsOnly() {
			return 0
		}
		return 1 + c.Exports()
	}
	slices.SortStableFunc(made, func(a, b *Conversation) int { return cmp.Or(rank(a)-rank(b), strings.Compare(a.Name, b.Name)) })
	return made
}
