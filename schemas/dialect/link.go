package dialect

import (
	"regexp"
	"strings"
)

// Link is which file the examples of a link lead to: what x-link says.
type Link struct {
	Of struct{ Interface, Kind, Format string } `json:"x-link"`
}

// in is a link to the file, as its interface makes it.
func (l Link) in(interfaces []Interface) string {
	const server, signature = "http://localhost:8080",
		"?expires=2026-01-31T08:50:00Z&nonce=327gd3rp1wybu&signature=Bok_mXgGs_d1c3vqw4tzJgKr4ycymiAVgAMxu_LZi3o"
	for _, each := range interfaces {
		if each.Name != l.Of.Interface {
			continue
		}
		export := each.Identifiers.Export + exampleOpaque
		if each.Identifiers.Export == "" {
			export = exampleUUID
		}
		if each.Files.Redirects() {
			path := strings.NewReplacer("{request_id}", export, "{id}", export, "{file}",
				each.Identifiers.File+exampleOpaque+"_1").Replace(each.Download)
			return server + variable.ReplaceAllLiteralString(path, "live_demo")
		}
		format := l.Of.Format
		if format == "json" && each.Files.Lines() {
			format = "ndjson"
		}
		return server + "/files/" + strings.NewReplacer("{export}", export, "{part}", "1", "{kind}", l.Of.Kind, "{format}",
			format).Replace(each.Files.URLName) + signature
	}
	return ""
}

var variable = regexp.MustCompile("[{][a-z_]+[}]")

// downloadOf is where the endpoint that redirects to the files of an interface is: its path, with the version of
// the interface, and a query parameter for the identifier of the file where it has one.
func downloadOf(documents map[string]any, names []string, its *Interface) string {
	for _, file := range names {
		root, _ := documents[file].(map[string]any)
		endpoints, _ := root["x-endpoints"].([]any)
		for _, each := range endpoints {
			endpoint, _ := each.(map[string]any)
			path, _ := endpoint["path"].(string)
			_, rest, found := strings.Cut(strings.TrimPrefix(path, "/"), "/")
			if endpoint["role"] != "download" || endpoint["interface"] != its.Name || !found {
				continue
			}
			path = "/" + its.Version + "/" + rest
			query, _ := endpoint["query"].([]any)
			for _, each := range query {
				parameter, _ := each.(map[string]any)
				if name, is := parameter["name"].(string); is {
					return path + "?" + name + "={file}"
				}
			}
			return path
		}
	}
	return ""
}
