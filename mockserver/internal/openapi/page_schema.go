package openapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// deepest is how far the page looks into members of members.
const deepest = 3

// members lists those of a schema, each followed by its own.
func (r *reader) members(schema any, depth int) []memberView {
	described := resolve(r.components.object("schemas"), schema)
	if items := described.get("items"); items != nil {
		return r.members(items, depth)
	}
	if depth > deepest {
		return nil
	}
	var views []memberView
	required := described.list("required")
	for _, part := range described.list("allOf") { // what a branch adds without a condition
		if branch := resolve(r.components.object("schemas"), part); branch.get("if") == nil && branch.get("properties") != nil && described.get("properties") == nil {
			views = append(views, r.members(part, depth)...)
		}
	}
	for _, property := range described.object("properties") {
		view := r.member(property.value, property.name, slices.Contains(required, any(property.name)), depth)
		views = append(views, view)
		views = append(views, r.members(property.value, depth+1)...)
	}
	return views
}

// member is what the page shows of a member or a parameter.
func (r *reader) member(schema any, name string, required bool, depth int) memberView {
	described := resolve(r.components.object("schemas"), schema)
	view := memberView{Depth: depth, Name: name, Type: typeText(described), Required: required, Description: described.text("description")}
	rules := described
	if items := described.get("items"); items != nil {
		rules = resolve(r.components.object("schemas"), items)
		if word := typeText(rules); word != "" {
			view.Type += " of " + word + "s"
		}
	}
	view.Allowed = allowed(rules)
	return view
}

// typeText is the type of a schema in words.
func typeText(schema object) string {
	switch name := schema.get("type").(type) {
	case string:
		return name
	case []any:
		words := make([]string, 0, len(name))
		for _, word := range name {
			words = append(words, fmt.Sprint(word))
		}
		return strings.Join(words, " or ")
	}
	if schema.get("const") != nil || len(schema.list("enum")) > 0 {
		return "string"
	}
	return typeOf(schema)
}

// allowed says what values there are, where a schema lists them or sets bounds.
func allowed(schema object) string {
	if value, is := schema.get("const").(string); is {
		return "`" + value + "`"
	}
	var words []string
	for _, value := range schema.list("enum") {
		words = append(words, "`"+fmt.Sprint(value)+"`")
	}
	if len(words) > 0 {
		return strings.Join(words, ", ")
	}
	for _, bound := range []struct{ keyword, word string }{{"minimum", "from "}, {"maximum", "to "}} {
		if number, is := schema.get(bound.keyword).(json.Number); is {
			words = append(words, bound.word+number.String())
		}
	}
	if least, is := schema.get("minItems").(json.Number); is && least != "0" {
		words = append(words, "at least "+least.String())
	}
	if format := schema.text("format"); format != "" {
		words = append(words, format)
	}
	return strings.Join(words, " ")
}

// errors are all refusals, by the routes that give them.
func (r *reader) errors() []errorsView {
	titles := []struct{ family, title string }{
		{"Legacy", "Legacy exports"}, {"Profile", "Profile exports"}, {"File", "Files"}, {"Control", "Control"},
	}
	var views []errorsView
	for _, t := range titles {
		view := errorsView{ID: "errors-" + strings.ToLower(t.family), Title: t.title}
		for _, response := range r.components.object("responses") {
			number, is := strings.CutPrefix(response.name, t.family+"Error")
			if _, err := strconv.Atoi(number); !is || err != nil {
				continue
			}
			described, _ := response.value.(object)
			content := described.object("content")
			problems := content.object("application/problem+json").object("examples")
			for _, e := range content.object("application/json").object("examples") {
				native, _ := e.value.(object)
				view.Rows = append(view.Rows, errorView{
					Status: number, Name: e.name, Description: descriptionOf(described.text("description"), e.name),
					Native: textOf(native.get("value")), Problem: textOf(problems.object(e.name).get("value")),
				})
			}
		}
		if len(view.Rows) > 0 {
			views = append(views, view)
		}
	}
	return views
}

// descriptionOf takes what is said of one error out of the description of a
// response, which begins every error with its name in backticks.
func descriptionOf(text, name string) string {
	_, rest, is := strings.Cut(text, "`"+name+"`: ")
	if !is {
		return ""
	}
	rest, _, _ = strings.Cut(rest, " `")
	return rest
}
