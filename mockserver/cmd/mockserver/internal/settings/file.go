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

// file is what a file says, first by command ("" for all of them) and
// then by the name of the flag.
type file map[string]map[string][]setting

// setting is one value of a file.
type setting struct {
	file, place string // FILE and FILE:LINE
	node        *yaml.Node
}

// add adds what a later file says, which wins.
func (f file) add(later file) {
	for section, values := range later {
		if f[section] == nil {
			f[section] = map[string][]setting{}
		}
		for name, settings := range values {
			f[section][name] = append(f[section][name], settings...)
		}
	}
}

// all is what the files say of a flag that adds up, the strongest last.
func (f file) all(command, flag string) (found []setting) {
	return slices.Concat(f[""][flag], f[command][flag])
}

// of is what the file says of a flag: what it says of the command comes before
// what it says of all.
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
func (s setting) values(several bool) []string {
	var texts []string
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
		return []string{s.node.Value}
	}
	if several {
		return texts
	}
	return []string{strings.Join(texts, ",")}
}

// readFile reads a file of settings and checks its names.
func readFile(name string, program *cobra.Command) (file, error) {
	data, err := files.ReadBounded("--config", name, sizeLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage.Errorf("%v; name a YAML or JSON file that is there", err)
	} else if err != nil {
		return nil, err
	}
	read, err := parseFile(name, data, program)
	if err != nil {
		return nil, usage.Errorf("--config: %v", err)
	}
	return read, nil
}

// parseFile reads YAML, of which JSON is a part.
func parseFile(name string, data []byte, program *cobra.Command) (file, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return file{}, nil // nothing but comments
	} else if err != nil {
		return nil, fmt.Errorf("%s:%s", name, place(err))
	}
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: there is a second document; all settings go into one", name)
	}
	reader := fileReader{name: name, program: program, read: file{}}
	if err := reader.section("", document.Content[0]); err != nil {
		return nil, err
	}
	if err := reader.check(document.Content[0]); err != nil {
		return nil, err
	}
	return reader.read, nil
}

// place is an error of the YAML reader as LINE: MESSAGE, where it says a line, as all others are.
func place(err error) string {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if line, message, is := strings.Cut(strings.TrimPrefix(text, "line "), ": "); is && strings.HasPrefix(text, "line ") {
		return line + ": " + message
	}
	return " " + text
}

// fileReader reads one file.
type fileReader struct {
	name    string
	program *cobra.Command
	read    file
}

func (r *fileReader) fault(node *yaml.Node, format string, arguments ...any) error {
	return fmt.Errorf("%s:%d: %s", r.name, node.Line, fmt.Sprintf(format, arguments...))
}

// section reads the settings of a command, or with the name "" those of all
// commands and the sections among them.
func (r *fileReader) section(command string, node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode && node.Tag == "!!null" {
		return nil // a section in which everything is commented out
	}
	if node.Kind != yaml.MappingNode {
		return r.fault(node, "must be flags and their values, such as addr: localhost:9000")
	}
	known := r.names(command)
	values := map[string][]setting{}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if _, twice := values[key.Value]; twice {
			return r.fault(key, "%s is given twice", key.Value)
		}
		if command == "" && key.Value == "$schema" {
			continue // for editors
		}
		values[key.Value] = []setting{{r.name, fmt.Sprintf("%s:%d", r.name, key.Line), value}}
		if command == "" && isSection(r.program, key.Value) {
			if err := r.section(key.Value, value); err != nil {
				return err
			}
			continue
		}
		if !slices.Contains(known, key.Value) {
			return r.fault(key, "%s is not known%s%s", key.Value, r.whose(command), usage.Suggestion(key.Value, known))
		}
	}
	if r.read[command] != nil {
		return r.fault(node, "%s is given twice", command)
	}
	r.read[command] = values
	return nil
}

func (r *fileReader) whose(command string) string {
	if command == "" {
		return ""
	}
	return " to the command " + command
}

// names are the flags that a section may set.
func (r *fileReader) names(section string) []string {
	var names []string
	for _, command := range r.program.Commands() {
		if section == "" || command.Name() == section {
			Each(command, func(f *pflag.Flag) { names = append(names, f.Name) })
		}
		if section == "" && isSection(r.program, command.Name()) {
			names = append(names, command.Name())
		}
	}
	return names
}

// isSection reports whether a file may have a section of this name: that of a
// command with flags.
func isSection(program *cobra.Command, name string) bool {
	for _, command := range program.Commands() {
		if command.Name() == name {
			return Has(command)
		}
	}
	return false
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
	text, err := yaml.Marshal(&node)
	if err != nil {
		return value
	}
	return strings.TrimSpace(string(text))
}
