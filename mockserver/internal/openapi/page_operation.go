package openapi

import (
	"bytes"
	"net/url"
	"strings"
)

// operation is what the page shows of a request.
func (r *reader) operation(method, path string, operation object, address string) *operationView {
	extension, _ := operation.get("x-extension").(bool)
	view := &operationView{
		ID: operation.text("operationId"), Method: method, Path: path, Summary: operation.text("summary"),
		Description: paragraphs(operation.text("description")), Extension: extension, Credentials: r.credentials(operation),
	}
	for _, item := range operation.list("parameters") {
		parameter := r.follow(item)
		if parameter.text("in") == "header" && parameter.text("name") == "X-Request-Id" {
			continue // everywhere the same
		}
		required, _ := parameter.get("required").(bool)
		member := r.member(parameter.get("schema"), parameter.text("name"), required, 0)
		member.Type = parameter.text("in")
		member.Description = parameter.text("description")
		view.Parameters = append(view.Parameters, member)
	}
	body := operation.object("requestBody").object("content")
	for _, media := range body {
		described, _ := media.value.(object)
		view.Bodies = append(view.Bodies, r.bodies(media.name, described)...)
	}
	view.Curl = r.curl(method, path, operation, body, address)
	for _, answer := range operation.object("responses") {
		described := r.follow(answer.value)
		shown := answerView{Status: answer.name, Description: described.text("description")}
		for _, header := range described.object("headers") {
			if !strings.HasPrefix(header.name, "X-") && header.name != "Cache-Control" && header.name != "Content-Length" {
				shown.Headers = append(shown.Headers, header.name)
			}
		}
		if answer.name < "300" || answer.name == "307" {
			for _, media := range described.object("content") {
				content, _ := media.value.(object)
				if content.get("schema") != nil && answer.name != "206" {
					shown.Bodies = append(shown.Bodies, r.bodies(media.name, content)...)
				}
			}
			for _, l := range described.object("links") {
				target, _ := l.value.(object)
				view.Links = append(view.Links, linkView{l.name, target.text("operationId"), target.text("description")})
			}
		}
		view.Answers = append(view.Answers, shown)
	}
	for _, item := range operation.list("x-exports") {
		export, _ := item.(object)
		view.Files = append(view.Files, r.file(export))
	}
	return view
}

// file is what the page shows of the file that a request makes.
func (r *reader) file(export object) bodyView {
	view := bodyView{Title: export.text("kind"), Media: export.text("mediaType")}
	if row := export.get("row"); row != nil {
		members := r.members(row, 0)
		for _, column := range export.list("columns") { // in the order of the file
			for _, member := range members {
				if member.Name == column {
					view.Members = append(view.Members, member)
				}
			}
		}
	} else {
		view.Members = r.members(export.get("file"), 0)
	}
	answers := r.document.object("paths").object("/files/{name}").object("get").object("responses").object("200").object("content")
	example := answers.object(view.Media).object("examples").object(exampleName(view.Title))
	if example != nil {
		view.Examples = []exampleView{{exampleName(view.Title), example.text("summary"), textOf(example.get("value"))}}
	}
	return view
}

// credentials says what a request has to carry.
func (r *reader) credentials(operation object) string {
	var choices []string
	for _, item := range operation.list("security") {
		required, _ := item.(object)
		var all []string
		for _, scheme := range required {
			all = append(all, credentialName(scheme.name, r.components.object("securitySchemes").object(scheme.name)))
		}
		if len(all) > 0 {
			choices = append(choices, strings.Join(all, " and "))
		} else {
			choices = append(choices, "none on the same machine, unless the server has a control token")
		}
	}
	if len(choices) == 0 {
		return "none"
	}
	return strings.Join(choices, ", or ")
}

// bodies are what the page shows of a body: one part for each choice.
func (r *reader) bodies(media string, content object) []bodyView {
	schema := content.object("schema")
	var examples []exampleView
	for _, e := range content.object("examples") {
		described, _ := e.value.(object)
		examples = append(examples, exampleView{e.name, described.text("summary"), textOf(described.get("value"))})
	}
	choices := schema.list("oneOf")
	if len(choices) == 0 {
		return []bodyView{{Media: media, Members: r.members(schema, 0), Examples: examples}}
	}
	var views []bodyView
	for i, choice := range choices {
		view := bodyView{Title: resolve(r.components.object("schemas"), choice).text("title"), Media: media, Members: r.members(choice, 0)}
		if i < len(examples) {
			view.Examples = examples[i : i+1]
		}
		views = append(views, view)
	}
	return views
}

// follow resolves a reference to a component that is no schema.
func (r *reader) follow(value any) object {
	described, _ := value.(object)
	reference := described.text("$ref")
	kind, name, is := strings.Cut(strings.TrimPrefix(reference, "#/components/"), "/")
	if !is {
		return described
	}
	target := append(object(nil), r.components.object(kind).object(name)...)
	if text := described.text("description"); text != "" {
		target.set("description", text)
	}
	return target
}

// textOf is an example as it is shown: JSON indented, anything else as it is.
func textOf(value any) string {
	if text, is := value.(string); is {
		return text
	}
	var out bytes.Buffer
	if encode(&out, value, "") != nil {
		return ""
	}
	return out.String()
}

// curl is a request as a line for a shell.
func (r *reader) curl(method, path string, operation, body object, address string) string {
	line := "curl -i"
	if method != "GET" && (method != "POST" || len(body) == 0) {
		line += " -X " + method
	}
	query := url.Values{}
	for _, item := range operation.list("parameters") {
		parameter := r.follow(item)
		schema := resolve(r.components.object("schemas"), parameter.get("schema"))
		example := firstText(schema.list("examples"))
		if example == "" {
			example = firstText(schema.list("enum"))
		}
		if example == "" {
			example = strings.ToUpper(parameter.text("name"))
		}
		required, _ := parameter.get("required").(bool)
		switch {
		case parameter.text("in") == "path":
			path = strings.Replace(path, "{"+parameter.text("name")+"}", url.PathEscape(example), 1)
		case parameter.text("in") == "query" && required:
			query.Set(parameter.text("name"), example)
		}
	}
	target := address + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	line += " '" + target + "'"
	if schemes := operation.list("security"); len(schemes) == 1 {
		first, _ := schemes[0].(object)
		for _, scheme := range first {
			line += " \\\n  -H '" + demoHeader(scheme.name) + "'"
		}
	}
	if len(body) > 0 {
		content, _ := body[0].value.(object)
		line += " \\\n  -H 'Content-Type: " + body[0].name + "'"
		if examples := content.object("examples"); len(examples) > 0 {
			example, _ := examples[0].value.(object)
			text, is := example.get("value").(string)
			if !is {
				text = string(compact(example.get("value")))
			}
			line += " \\\n  --data-binary '" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		}
	}
	return line
}

func demoHeader(scheme string) string {
	switch scheme {
	case "companyKey":
		return "X-Authorization: " + demoCompany
	case "projectKey":
		return "X-Service-Project: " + demoProject
	}
	return "Authorization: Bearer " + demoToken
}
