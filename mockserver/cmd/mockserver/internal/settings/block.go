package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Block is the value of a flag that sets many things by key: KEY=VALUE or, where files are allowed, FILE.
// Values add up from everywhere; for each key the command line comes first, then the environment, then files.
type Block struct {
	flag, schema string
	files        bool
	entries      [3][]entry // by place: files of settings, environment, command line
	place        int
	origin       string
	read         []string // names of files
}

// entry is one key with its value.
type entry struct {
	key    string
	value  any
	origin string
}

// The places of a [Block], the strongest last.
const (
	fromFile = iota
	fromEnvironment
	fromCommandLine
)

// keyPattern is what stands before KEY=VALUE. A name behind a dot is one of the members of KEY.
var keyPattern = regexp.MustCompile(`^[a-z][a-z-]*(\.[A-Za-z0-9_$]+)?=`)

// AddBlock adds a flag whose keys an embedded schema describes.
func AddBlock(flags *pflag.FlagSet, name, schema, usage string, readsFiles bool) *Block {
	block := &Block{flag: name, schema: schema, files: readsFiles, place: fromCommandLine, origin: "--" + name}
	flags.Var(block, name, usage)
	annotate(flags.Lookup(name), severalKey, "true")
	return block
}

// String is empty: the values are shown one by one.
func (b *Block) String() string { return "" }

// Type names the value.
func (b *Block) Type() string { return "block" }

// Set reads KEY=VALUE, or a file.
func (b *Block) Set(text string) error {
	if head := keyPattern.FindString(text); head != "" {
		return b.setKey(strings.TrimSuffix(head, "="), text[len(head):])
	}
	if !b.files {
		return fmt.Errorf("must be KEY=VALUE; the keys are %s", strings.Join(b.Keys(), ", "))
	}
	b.read = append(b.read, text)
	data, err := files.ReadBounded("--"+b.flag, text, sizeLimit)
	if err != nil {
		return fmt.Errorf("must be KEY=VALUE or a file with such keys: %w", err)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return fmt.Errorf("%s:%s", text, place(err))
	}
	if len(document.Content) == 0 {
		return nil // nothing but comments
	}
	return b.setNode(text, document.Content[0])
}

// Files are the names of the files that were read.
func (b *Block) Files() []string { return b.read }

// setKey sets one key, or a member of it.
func (b *Block) setKey(key, text string) error {
	var value any = text
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err == nil && len(document.Content) > 0 {
		if read, err := plain(document.Content[0]); err == nil {
			value = read
		}
	}
	if name, member, is := strings.Cut(key, "."); is {
		key, value = name, map[string]any{member: value}
	}
	return b.add(entry{key, value, b.origin})
}

// setNode sets the keys of a mapping in a file.
func (b *Block) setNode(file string, node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("%s:%d: must be keys and values; the keys are %s", file, node.Line, strings.Join(b.Keys(), ", "))
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, origin := node.Content[i].Value, fmt.Sprintf("%s:%d", file, node.Content[i].Line)
		if key == "$schema" {
			continue // for editors
		}
		value, err := plain(node.Content[i+1])
		if err == nil {
			err = b.add(entry{key, value, origin})
		}
		if err != nil {
			return fmt.Errorf("%s: %w", origin, err)
		}
	}
	return nil
}

// plain returns a node as a value of JSON.
func plain(node *yaml.Node) (value any, err error) {
	if err := node.Decode(&value); err != nil {
		return nil, err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return schemas.Decode(text)
}

func (b *Block) add(e entry) error {
	var invalid *schemas.InvalidError
	if err := schemas.Validate(b.schema, map[string]any{e.key: e.value}); errors.As(err, &invalid) {
		return errors.New(invalid.Problems[0].Message)
	} else if err != nil {
		return err
	}
	b.entries[b.place] = append(b.entries[b.place], e)
	return nil
}

// settle adds what environment and files say.
func (b *Block) settle(environment func(name string) string, given []setting) error {
	b.place = fromFile
	for _, each := range given {
		if each.node.Kind == yaml.MappingNode {
			if err := b.setNode(each.file, each.node); err != nil {
				return err
			}
			continue
		}
		b.origin = each.place
		texts, err := each.values(true)
		if err != nil {
			return fmt.Errorf("%s: %w", each.place, err)
		}
		for _, text := range texts {
			if b.files && !keyPattern.MatchString(text) {
				text = besideFile(each.file, text)
			}
			if err := b.Set(text); err != nil {
				return fmt.Errorf("%s: %w", each.place, err)
			}
		}
	}
	b.place = fromEnvironment
	for _, key := range append([]string{""}, b.Keys()...) {
		b.origin = b.Variable(key)
		text := environment(b.origin)
		if text == "" {
			continue
		}
		set := b.Set
		if key != "" {
			set = func(text string) error { return b.setKey(key, text) }
		}
		if err := set(text); err != nil {
			return fmt.Errorf("%s: %w", b.origin, err)
		}
	}
	return nil
}

// Variable is the environment variable of a key; without a key, that of the flag.
func (b *Block) Variable(key string) string {
	return strings.TrimSuffix(Variable(b.flag+"-"+key), "_")
}

// merged are the values of all places by key, and where each comes from.
func (b *Block) merged() (values map[string]any, origins map[string]string) {
	values, origins = map[string]any{}, map[string]string{}
	for _, e := range slices.Concat(b.entries[:]...) {
		members, is := e.value.(map[string]any)
		if before, was := values[e.key].(map[string]any); is && was {
			members = maps.Clone(members)
			for name, value := range before {
				if _, later := members[name]; !later {
					members[name] = value
				}
			}
			e.value = members
		}
		values[e.key], origins[e.key] = e.value, e.origin
	}
	return values, origins
}

// Decode sets the fields of a value from the keys, as [json.Unmarshal] does.
func (b *Block) Decode(into any) error {
	values, _ := b.merged()
	text, err := json.Marshal(values)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// Has reports whether a key is set.
func (b *Block) Has(key string) bool {
	values, _ := b.merged()
	_, is := values[key]
	return is
}

// Key is what the schema says of a key.
type Key struct {
	Name, About string
	Default     any // nil: none
}

// Described are the keys in the order of the schema.
func (b *Block) Described() (keys []Key) {
	library, err := schemas.Embedded()
	if err != nil {
		return nil
	}
	schema := library.Schema(b.schema)
	for _, name := range library.PropertyOrder(schema) {
		if name != "$schema" {
			keys = append(keys, Key{name, schema.Properties[name].Description, schema.Properties[name].Default})
		}
	}
	return keys
}

// Keys are the names of the keys.
func (b *Block) Keys() (names []string) {
	for _, key := range b.Described() {
		names = append(names, key.Name)
	}
	return names
}

// lines are the keys for --print-config; set tells whether any is set.
func (b *Block) lines() (lines [][2]string, set bool) {
	values, origins := b.merged()
	for _, key := range b.Described() {
		mark, value, origin := "# ", key.Default, "default"
		if found, is := values[key.Name]; is {
			mark, value, origin, set = "", found, origins[key.Name], true
		}
		text := ""
		if value != nil {
			encoded, err := json.Marshal(value)
			if err != nil {
				continue
			}
			text = " " + strings.NewReplacer(`":`, `": `, `,`, `, `).Replace(string(encoded))
			if is, ok := value.(string); ok {
				text = " " + yamlScalar(is)
			}
		}
		lines = append(lines, [2]string{mark + key.Name + ":" + text, origin})
	}
	return lines, set
}

// yamlScalar writes a value as one line of YAML.
func yamlScalar(value any) string {
	text, err := yaml.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSpace(string(text))
}
