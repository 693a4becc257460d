//go:build proof

package swift_test

import (
	"encoding/json"
	"fmt"
	"go/build"
	"go/constant"
	"go/importer"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// mirror makes a stand-in for the framework: a Swift module with every declaration as the compiler imports it from the Objective-C
// headers, which calls Go without Objective-C; and for Go, what calls back.
type mirror struct {
	swift, callbacks, table strings.Builder
	scope                   *types.Scope
}

const facade = "github.com/rehearsal-sdk/rehearsal/mobile/actions"

// newMirror reads the graph of symbols that the compiler gives.
func newMirror(t *testing.T, graph string) *mirror {
	t.Helper()
	// A test that was built with -trimpath does not know where Go is.
	root := proof.Get(exec.Command("go", "env", "GOROOT").Output())(t)
	build.Default.GOROOT = strings.TrimSpace(string(root))
	pkg := proof.Get(importer.ForCompiler(token.NewFileSet(), "source", nil).Import(facade))(t)
	m := &mirror{scope: pkg.Scope()}
	members := map[string][]symbol{}
	for _, s := range readSymbols(t, graph) {
		members[s.owner] = append(members[s.owner], s)
	}
	fmt.Fprintf(&m.swift, "import Bridge\nimport Foundation\n\n")
	fmt.Fprintf(&m.callbacks, "func dispatch(_ object: AnyObject, _ method: String, _ arguments: [rh_value]) throws {\n    switch method {\n")
	fmt.Fprintf(&m.table, "//go:build swiftbridge\n\npackage main\n\nimport (\n\t\"reflect\"\n\n\t%q\n)\n\nvar functions = map[string]any{\n",
		facade)
	for _, name := range m.scope.Names() {
		if _, isFunction := m.scope.Lookup(name).(*types.Func); isFunction && token.IsExported(name) {
			fmt.Fprintf(&m.table, "\t%q: actions.%s,\n", name, name)
		}
	}
	fmt.Fprintf(&m.table, "}\n\nvar adapters = map[reflect.Type]func(*object) any{\n")
	for _, name := range m.scope.Names() {
		if m.isInterface(name) {
			fmt.Fprintf(&m.table, "\treflect.TypeFor[actions.%s](): func(o *object) any { return adapter%s{o} },\n", name, name)
		}
	}
	fmt.Fprintf(&m.table, "}\n")
	for _, name := range m.scope.Names() {
		object := m.scope.Lookup(name)
		switch {
		case !token.IsExported(name):
		case m.isInterface(name):
			m.protocol(t, name, members["pl"+proof.Prefix+"Actions"+name])
		default:
			switch object := object.(type) {
			case *types.TypeName:
				m.class(t, name, members["cs"+proof.Prefix+"Actions"+name])
			case *types.Const:
				value := object.Val().ExactString()
				kind := "String"
				if object.Val().Kind() != constant.String {
					kind = "Int32"
				}
				fmt.Fprintf(&m.swift, "public let %sActions%s: %s = %s\n", proof.Prefix, name, kind, value)
			}
		}
	}
	for _, function := range members[""] {
		if !strings.Contains(function.text, "Data?") { // a convenience over a text
			m.function(&m.swift, "public ", function, strings.TrimPrefix(function.name, proof.Prefix+"Actions"), "0")
		}
	}
	fmt.Fprintf(&m.callbacks, "    default: fatalError(\"there is no \\(method)\")\n    }\n}\n")
	return m
}

// write writes the files that it has made.
func (m *mirror) write(t *testing.T, swift, table string) {
	t.Helper()
	for file, text := range map[string]string{swift: m.swift.String() + "\n" + m.callbacks.String(), table: m.table.String()} {
		proof.Do(t, os.WriteFile(file, []byte(text), 0o644))
	}
}

func (m *mirror) isInterface(name string) bool {
	object, isType := m.scope.Lookup(name).(*types.TypeName)
	return isType && token.IsExported(name) && types.IsInterface(object.Type())
}

// protocol writes a protocol, how its methods are called from Go, and the Go that calls.
func (m *mirror) protocol(t *testing.T, name string, methods []symbol) {
	iface := m.scope.Lookup(name).Type().Underlying().(*types.Interface)
	proof.Hold(t, len(methods) == iface.NumMethods(), "%s has %d methods, Swift sees %d", name, iface.NumMethods(), len(methods))
	full := proof.Prefix + "Actions" + name + "Protocol"
	fmt.Fprintf(&m.swift, "public protocol %s: NSObjectProtocol {\n", full)
	fmt.Fprintf(&m.table, "\ntype adapter%s struct{ *object }\n", name)
	for _, s := range methods {
		if m.answers(t, name, s.name) {
			continue
		}
		fmt.Fprintf(&m.swift, "    %s\n", s.text)
		var arguments []string
		for i, p := range s.parameters {
			arguments = append(arguments, p.labelled(fmt.Sprintf("crossed(arguments[%d])", i)))
		}
		goName := m.method(t, name, s.name)
		fmt.Fprintf(&m.callbacks, "    case \"%s.%s\": try (object as! any %s).%s(%s)\n", name, goName, full, s.base(),
			strings.Join(arguments, ", "))
	}
	fmt.Fprintf(&m.swift, "}\n")
	for method := range iface.Methods() {
		signature := method.Signature()
		var parameters, names []string
		for i := range signature.Params().Len() {
			names = append(names, fmt.Sprintf("p%d", i))
			parameters = append(parameters, fmt.Sprintf("p%d %s", i, types.TypeString(signature.Params().At(i).Type(), (*types.Package).Name)))
		}
		if signature.Results().Len() > 1 {
			fmt.Fprintf(&m.table, "\nfunc (a adapter%s) %s(%s) (string, error) { panic(\"not in the stand-in\") }\n", name, method.Name(),
				strings.Join(parameters, ", "))
			continue
		}
		fmt.Fprintf(&m.table, "\nfunc (a adapter%s) %s(%s) error {\n\treturn a.call(%s)\n}\n", name, method.Name(),
			strings.Join(parameters, ", "),
			strings.Join(append([]string{fmt.Sprintf("%q", name+"."+method.Name())}, names...), ", "))
	}
}

// answers tells whether a method of an interface gives something back, which is not carried over: the façade implements none.
func (m *mirror) answers(t *testing.T, class, name string) bool {
	t.Helper()
	method, _, _ := types.LookupFieldOrMethod(m.scope.Lookup(class).Type(), false, m.scope.Lookup(class).Pkg(), m.method(t, class, name))
	function, ok := method.(*types.Func)
	return ok && function.Signature().Results().Len() > 1
}

func (m *mirror) class(t *testing.T, name string, methods []symbol) {
	fmt.Fprintf(&m.swift,
		"public final class %sActions%s: BridgeObject, @unchecked Sendable {\n    required init(_ value: rh_value) { super.init(value) }\n",
		proof.Prefix, name)
	for _, s := range methods {
		if constructor, isInit := strings.CutPrefix(s.text, "init?"); isInit {
			fmt.Fprintf(&m.swift,
				"    public init?%s {\n        let made = told(\"New%s\"%s)\n        super.init(handle: made.number)\n        if made.number == 0 { return nil }\n    }\n",
				constructor, name, s.crossing("0"))
		} else if strings.HasPrefix(s.text, "func ") {
			m.function(&m.swift, "    @discardableResult public ", s, m.method(t, name, s.name), "handle")
		}
	}
	fmt.Fprintf(&m.swift, "}\n")
}

// method gives Go's name for a method.
func (m *mirror) method(t *testing.T, class, name string) string {
	t.Helper()
	object := m.scope.Lookup(class).Type()
	if !types.IsInterface(object) {
		object = types.NewPointer(object)
	}
	set := types.NewMethodSet(object)
	for method := range set.Methods() {
		if strings.EqualFold(method.Obj().Name(), name) {
			return method.Obj().Name()
		}
	}
	t.Errorf("%s has no method %s", class, name)
	return name
}

// function writes a function that calls Go.
func (m *mirror) function(to *strings.Builder, access string, s symbol, name, handle string) {
	text := strings.ReplaceAll(s.text, "AutoreleasingUnsafeMutablePointer", "UnsafeMutablePointer")
	if !strings.Contains(text, "->") {
		access = strings.Replace(access, "@discardableResult ", "", 1)
	}
	how, body := "told(", ""
	if strings.Contains(text, " throws") {
		how = "try call("
	}
	out := ""
	for _, p := range s.parameters {
		if strings.Contains(p.kind, "NSError") {
			how = "asked(" + p.name + ", "
		} else if strings.Contains(p.kind, "UnsafeMutablePointer") {
			out = p.name
		}
	}
	body = fmt.Sprintf("%s\"%s\"%s)", how, name, s.crossing(handle))
	if out != "" {
		body = fmt.Sprintf("let result = %s\n        %s?.pointee = crossed(result)", body, out)
	} else {
		body = "return crossed(" + body + ")"
	}
	fmt.Fprintf(to, "%s%s {\n        %s\n    }\n", access, text, body)
}

// symbol is a declaration as Swift sees it.
type symbol struct {
	// owner is "cs" or "pl" and the name in Objective-C of the class or the protocol; "" for a function.
	owner string
	// name is the first part of the selector.
	name, text string
	parameters []parameter
}

type parameter struct{ label, name, kind string }

func (p parameter) labelled(value string) string {
	if p.label == "_" {
		return value
	}
	return p.label + ": " + value
}

// base gives the name in Swift.
func (s symbol) base() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(s.text, "func "), "(")
	return name
}

// crossing gives the arguments of a call that come after the name.
func (s symbol) crossing(handle string) string {
	var arguments []string
	for _, p := range s.parameters {
		switch {
		case strings.Contains(p.kind, "MutablePointer"):
		case strings.Contains(p.kind, "any "):
			arguments = append(arguments, "crossing(callback: "+p.name+")")
		default:
			arguments = append(arguments, "crossing("+p.name+")")
		}
	}
	return ", " + handle + ", [" + strings.Join(arguments, ", ") + "]"
}

var precise = regexp.MustCompile(`^c:(?:objc\((cs|pl)\)(\w+)\(im\)|@F@)(\w+)`)

// readSymbols reads the functions and methods of a graph of symbols, sorted.
func readSymbols(t *testing.T, file string) []symbol {
	t.Helper()
	text := proof.Get(os.ReadFile(file))(t)
	var graph struct {
		Symbols []struct {
			Identifier           struct{ Precise string }
			DeclarationFragments []struct{ Spelling string }
		}
	}
	proof.Do(t, json.Unmarshal(text, &graph))
	var symbols []symbol
	for _, found := range graph.Symbols {
		groups := precise.FindStringSubmatch(found.Identifier.Precise)
		if groups == nil {
			continue
		}
		s := symbol{owner: groups[1] + groups[2], name: groups[3]}
		for _, fragment := range found.DeclarationFragments {
			s.text += fragment.Spelling
		}
		_, after, _ := strings.Cut(s.text, "(")
		depth := 1
		end := strings.IndexFunc(after, func(r rune) bool {
			switch r {
			case '(':
				depth++
			case ')':
				depth--
			}
			return depth == 0
		})
		for one := range strings.SplitSeq(after[:max(end, 0)], ", ") {
			if names, kind, found := strings.Cut(one, ": "); found {
				words := strings.Fields(names)
				s.parameters = append(s.parameters, parameter{words[0], words[len(words)-1], kind})
			}
		}
		symbols = append(symbols, s)
	}
	slices.SortFunc(symbols, func(a, b symbol) int { return strings.Compare(a.owner+a.text, b.owner+b.text) })
	return symbols
}
