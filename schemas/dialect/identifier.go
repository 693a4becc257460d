package dialect

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// Identifier is a definition of identifiers that an interface gives out.
type Identifier struct {
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Type        string   `json:"type"`
	Format      string   `json:"format,omitempty"`
	Pattern     string   `json:"pattern"`
	Examples    []string `json:"examples"`
	// Of says whose they are, such as profiles.export; empty of another schema.
	Of string `json:"x-identifier"`
}

// begins is how they begin; of files, how those of their exports do, too.
func (i Identifier) begins(interfaces []Interface) Identifiers {
	name, of, _ := strings.Cut(i.Of, ".")
	for _, each := range interfaces {
		switch {
		case each.Name != name:
		case of == "file":
			return Identifiers{Export: each.Identifiers.Export, File: each.Identifiers.File}
		default:
			return Identifiers{Export: each.Identifiers.Export}
		}
	}
	return Identifiers{}
}

const (
	patternOfUUID = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"
	exampleUUID   = "5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10"
	exampleOpaque = "7wq2kLmPz0"
)

var uuid = regexp.MustCompile(patternOfUUID)

// spoken is the definition with how identifiers of these interfaces begin.
func (i Identifier) spoken(interfaces []Interface) Identifier {
	begins, of := i.begins(interfaces), "An export"
	prefix, example := begins.Export, exampleOpaque
	if prefix == "" {
		example = exampleUUID
	}
	if strings.HasSuffix(i.Of, ".file") {
		of, prefix, example = "A file", begins.File, example+"_1"
	}
	made := Identifier{Title: i.Title, Type: "string", Examples: []string{prefix + example}, Of: i.Of}
	switch {
	case prefix != "":
		made.Description = of + " identifier: " + prefix + " and an opaque part."
		made.Pattern = "^" + regexp.QuoteMeta(prefix) + ".+$"
	case of == "A file":
		made.Description, made.Pattern = "A file identifier: an opaque text.", "^.+$"
	default:
		made.Description, made.Format = "A UUID: 32 hexadecimal digits in groups of 8-4-4-4-12.", "uuid"
		made.Pattern = patternOfUUID
	}
	return made
}

// IsExport reports whether a text has the shape of an identifier of an export.
func (i Identifiers) IsExport(text string) bool {
	if i.Export != "" {
		return strings.HasPrefix(text, i.Export) && len(text) > len(i.Export)
	}
	return uuid.MatchString(text)
}

// In is the identifier in the answer to a creation; "" without one.
func (i Identifiers) In(answer any) (id string) {
	value, _ := jsonpointer.Value(answer, "/"+i.Created)
	id, _ = value.(string)
	return id
}

// FileOf is the identifier of a part of the file of an export: both share what follows their beginnings.
func (i Identifiers) FileOf(export string, part int) string {
	return i.File + strings.TrimPrefix(export, i.Export) + "_" + strconv.Itoa(part)
}

// ParseFile undoes FileOf.
func (i Identifiers) ParseFile(id string) (export string, part int, ok bool) {
	opaque, number, found := strings.Cut(strings.TrimPrefix(id, i.File), "_")
	part, err := strconv.Atoi(number)
	return i.Export + opaque, part, found && err == nil
}
