package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

// sizeLimit is the size of the largest file of settings, in bytes.
const sizeLimit = 1 << 20

// file is what files say, first by command ("" for all of them) and then by the name of the flag. The last
// setting of a flag is the strongest.
type file map[string]map[string][]setting

// setting is one value of a file.
type setting struct {
	file, place string // FILE and FILE:LINE
	node        *yaml.Node
}

// all is what the files say of a flag that adds up, the strongest last.
func (f file) all(command, flag string) (found []setting) {
	return slices.Concat(f[""][flag], f[command][flag])
}

// of is what the file says of a flag: what it says of the command comes before what it says of all.
func (f file) of(command, flag string) (setting, bool) {
	sections := []string{command, ""}
	if command == "health" { // the server that it looks for was started with these
		sections = []string{command, "serve", ""}
	}
	for _, section := range sections {
		if found := f[section][flag]; len(found) > 0 {
			return found[len(found)-1], true
		}
	}
	return setting{}, false
}

// values are the texts to set a flag to: one for each item if it may be given
// several times, and otherwise all of them, separated by commas.
func (s setting) values(several bool) (texts []string, err error) {
	switch s.node.Kind {
	case yaml.SequenceNode:
		for _, item := range s.node.Content {
			texts = append(texts, item.Value)
		}
	case yaml.MappingNode:
		for i := 0; i < len(s.node.Content); i += 2 {
			texts = append(texts, s.node.Content[i].Value+"="+s.node.Content[i+1].Value)
		}
	default:
		texts = []string{s.node.Value}
	}
	nested := func(item *yaml.Node) bool { return item.Kind != yaml.ScalarNode }
	if s.node.ShortTag() == "!!null" || slices.ContainsFunc(s.node.Content, nested) {
		return nil, fmt.Errorf("must be a text or a number, a list of them, or names with them")
	}
	if !several {
		texts = []string{strings.Join(texts, ",")}
	}
	return texts, nil
}

// read adds a file of settings.
func (f file) read(name string, program *cobra.Command) error {
	data, err := files.ReadBounded("--config", name, sizeLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return usage.Errorf("%v; name a YAML or JSON file that is there", err)
	} else if err != nil {
		return err
	}
	if err := f.parse(name, data, program); err != nil {
		return usage.Errorf("--config: %s%v", name, err)
	}
	return nil
}

// parse reads YAML, of which JSON is a part. The error begins with a colon.
func (f file) parse(name string, data []byte, program *cobra.Command) error {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil // nothing but comments
	} else if err != nil {
		return fmt.Errorf(":%s", place(err))
	}
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return errors.New(": there is a second document; all settings go into one")
	}
	return f.section(name, program, "", document.Content[0])
}

// place is an error of the YAML reader as LINE: MESSAGE, where it says a line, as all others are.
func place(err error) string {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if line, message, is := strings.Cut(strings.TrimPrefix(text, "line "), ": "); is && strings.HasPrefix(text, "line ") {
		return line + ": " + message
	}
	return " " + text
}

// section reads the settings of a command, or with the name "" those of all commands and the sections among them.
func (f file) section(name string, program *cobra.Command, command string, node *yaml.Node) error {
	if node.ShortTag() == "!!null" {
		return nil // a section in which everything is commented out
	}
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf(":%d: must be flags and their values, such as addr: localhost:9000", node.Line)
	}
	if f[command] == nil {
		f[command] = map[string][]setting{}
	}
	flags, sections := names(program, command)
	seen := map[string]bool{}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		fault := func(format string, arguments ...any) error {
			return fmt.Errorf(":%d: %s %s", key.Line, key.Value, fmt.Sprintf(format, arguments...))
		}
		if seen[key.Value] {
			return fault("is given twice")
		}
		seen[key.Value] = true
		flag := slices.Contains(flags, key.Value)
		switch { // state is a command and a flag of another one, whose value is a text
		case slices.Contains(sections, key.Value) && !(flag && value.Kind == yaml.ScalarNode):
			if err := f.section(name, program, key.Value, value); err != nil {
				return err
			}
		case flag:
			f[command][key.Value] = append(f[command][key.Value], setting{name, fmt.Sprintf("%s:%d", name, key.Line), value})
		case command != "":
			return fault("is not known to the command %s%s", command, usage.Suggestion(key.Value, flags))
		default:
			return fault("is not known%s", usage.Suggestion(key.Value, slices.Concat(flags, sections)))
		}
	}
	return nil
}

// names are the flags and the sections that a section may have.
func names(program *cobra.Command, section string) (flags, sections []string) {
	for _, command := range program.Commands() {
		if section == "" && Has(command) {
			sections = append(sections, command.Name())
		}
		if section == "" || command.Name() == section {
			Each(command, func(f *pflag.Flag) { flags = append(flags, f.Name) })
		}
	}
	return flags, sections
}

// yamlText writes the value of a flag as YAML.
func yamlText(f *pflag.Flag, value string) string {
	var node yaml.Node
	node.SetString(value)
	switch f.Value.Type() {
	case "bool", "int", "int64", "uint64", "float64":
		node.Tag = ""
	}
	if f.Annotations[severalKey] != nil {
		list := yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		items := strings.Split(value, ",")
		if read, is := unwrapped(f).(*textValue); is && value == read.String() && value != "" {
			items = read.text // of which one may have a comma
		}
		for _, item := range items {
			list.Content = append(list.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: item})
		}
		node = list
	}
	return yamlScalar(&node)
}
