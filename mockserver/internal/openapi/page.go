package openapi

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"slices"
	"strings"
)

//go:embed page.html
var pageSource string

//go:embed page.css
var pageStyle string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"prose": prose, "lower": strings.ToLower,
	// The style is a part of this program.
	"style": func() template.CSS { return template.CSS(pageStyle) },
}).Parse(pageSource))

// render writes the page of a document, which needs nothing but itself, and the
// policy that lets a browser load nothing else.
func render(document object) (page []byte, policy string, err error) {
	r := &reader{document: document, components: document.object("components")}
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, r.page()); err != nil {
		return nil, "", err
	}
	sum := sha256.Sum256([]byte(pageStyle))
	policy = "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return out.Bytes(), policy, nil
}

// pageView is what the page shows.
type pageView struct {
	Title, Address string
	About          []string
	Groups         []*groupView
	Security       []namedText
	Errors         []errorsView
}

type groupView struct {
	ID, Name, Description string
	Extension             bool
	Operations            []*operationView
}

type operationView struct {
	ID, Method, Path, Summary string
	Extension                 bool
	Description               []string
	Credentials               string
	Parameters                []memberView
	Bodies                    []bodyView
	Curl                      string
	Answers                   []answerView
	Files                     []bodyView
	Links                     []linkView
}

// bodyView is a body: its members, and examples.
type bodyView struct {
	Title, Media string
	Members      []memberView
	Examples     []exampleView
}

type memberView struct {
	Depth                            int
	Name, Type, Description, Allowed string
	Required                         bool
}

type exampleView struct{ Name, Summary, Text string }

type answerView struct {
	Status, Description string
	Headers             []string
	Bodies              []bodyView
}

type linkView struct{ Name, Target, Description string }

type namedText struct{ Name, Text string }

type errorsView struct {
	ID, Title string
	Rows      []errorView
}

type errorView struct{ Status, Name, Description, Native, Problem string }

// reader reads what the page shows out of a finished document.
type reader struct {
	document, components object
}

// methods of the page, in the order of a path. HEAD is told of once.
var shownMethods = []string{"get", "post", "put", "delete"}

func (r *reader) page() pageView {
	view := pageView{Title: r.document.object("info").text("title"), About: paragraphs(r.document.object("info").text("description"))}
	if servers := r.document.list("servers"); len(servers) > 0 {
		server, _ := servers[0].(object)
		view.Address = server.text("url")
	}
	groups := map[string]*groupView{}
	for _, item := range r.document.list("tags") {
		described, _ := item.(object)
		extension, _ := described.get("x-extension").(bool)
		group := &groupView{ID: anchor(described.text("name")), Name: described.text("name"), Description: described.text("description"), Extension: extension}
		groups[group.Name] = group
		view.Groups = append(view.Groups, group)
	}
	for _, path := range r.document.object("paths") {
		item, _ := path.value.(object)
		for _, method := range shownMethods {
			operation := item.object(method)
			if operation == nil {
				continue
			}
			shown := r.operation(strings.ToUpper(method), path.name, operation, view.Address)
			if group := groups[firstText(operation.list("tags"))]; group != nil {
				group.Operations = append(group.Operations, shown)
			}
		}
	}
	view.Groups = slices.DeleteFunc(view.Groups, func(g *groupView) bool { return len(g.Operations) == 0 })
	for _, scheme := range r.components.object("securitySchemes") {
		described, _ := scheme.value.(object)
		view.Security = append(view.Security, namedText{credentialName(scheme.name, described), described.text("description")})
	}
	view.Errors = r.errors()
	return view
}

func credentialName(name string, scheme object) string {
	if header := scheme.text("name"); header != "" {
		return header
	}
	return "Authorization: Bearer (" + name + ")"
}

func firstText(items []any) string {
	if len(items) == 0 {
		return ""
	}
	text, _ := items[0].(string)
	return text
}

// anchor is a name as the target of a link.
func anchor(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }

func paragraphs(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n\n")
}

// piece is a stretch of a text, as code or not.
type piece struct {
	Text string
	Code bool
}

// prose takes a text apart at its backticks, for the template to write.
func prose(text string) []piece {
	var pieces []piece
	for i, part := range strings.Split(text, "`") {
		if part != "" {
			pieces = append(pieces, piece{part, i%2 == 1})
		}
	}
	return pieces
}
