package exports

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// FileNames are the names of files, with {export}, {part}, {kind} and {format}.
type FileNames struct {
	// URL is the name in a link, Whole that under which a whole file is saved, and Part that of one of several.
	URL, Whole, Part string

	inLink *regexp.Regexp
}

// NewFileNames are the names that schema files have checked.
func NewFileNames(url, whole, part string) FileNames {
	return FileNames{url, whole, part, regexp.MustCompile("^" + shapes.Replace(regexp.QuoteMeta(url)) + "$")}
}

// FormatOf is the format of a file without its container: csv, json or, with one object a line, ndjson.
func FormatOf(export schemas.Export) string {
	if export.Lines() {
		return "ndjson"
	}
	return export.Format
}

// FileName is what the placeholders of a name stand for.
type FileName struct {
	Export, Kind, Format string
	Part                 int
}

// InLink is the last path segment of a link.
func (n FileNames) InLink(of FileName) string { return of.in(n.URL) }

// Saved is the name under which a part of several is saved.
func (n FileNames) Saved(of FileName, parts int) string {
	if parts == 1 {
		return of.in(n.Whole)
	}
	return of.in(n.Part)
}

func (f FileName) in(template string) string {
	var name strings.Builder
	name.Grow(len(template) + len(f.Export) + len(f.Kind))
	for {
		before, rest, found := strings.Cut(template, "{")
		name.WriteString(before)
		if !found {
			return name.String()
		}
		var placeholder string
		placeholder, template, _ = strings.Cut(rest, "}")
		switch placeholder {
		case "export":
			name.WriteString(f.Export)
		case "part":
			name.WriteString(strconv.Itoa(f.Part))
		case "kind":
			name.WriteString(f.Kind)
		case "format":
			name.WriteString(f.Format)
		}
	}
}

// parse undoes InLink. The export is found even where the rest is not as links have it.
func (n FileNames) parse(name string) (export string, part int, ok bool) {
	if found := n.inLink.FindStringSubmatch(name); found != nil {
		number, err := 1, error(nil)
		if len(found) > 2 {
			number, err = strconv.Atoi(found[2])
		}
		return found[1], number, err == nil
	}
	before, after, _ := strings.Cut(n.URL, "{export}")
	rest, begins := strings.CutPrefix(name, before)
	if end := strings.IndexAny(rest, after[:min(len(after), 1)]); end >= 0 {
		rest = rest[:end]
	}
	if !begins {
		return "", 0, false
	}
	return rest, 0, false
}

// shapes are what stands in names for placeholders.
var shapes = strings.NewReplacer(`\{export\}`, `([0-9A-Za-z_-]+)`, `\{part\}`, `([0-9]+)`, `\{kind\}`, `[a-z][a-z0-9.-]*`, `\{format\}`,
	`(?:csv|json|ndjson)(?:[.]gz|[.]zip)?`)
