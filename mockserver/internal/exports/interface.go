package exports

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Interface is one of the two interfaces of the export API (export API section
// 5), with what is different on it. A route carries its interface; exports,
// endpoints and records name it. Whoever depends on a difference asks for the
// fact, and reads it neither out of a path nor out of a kind or an identifier.
type Interface struct {
	// Name is what x-export, x-endpoints and records call it.
	Name string
	// Title and Summary head its routes in the API document.
	Title, Summary string
	// KeyVariable is the variable of its paths that names the application, which
	// the key of the company opens; empty where headers name a project, which a
	// token opens.
	KeyVariable string
	// DateLayout is the layout of [time.Format] for its dates.
	DateLayout string
	// Parts tells that a file which is too large is split into parts.
	Parts bool
	// Redirects tells that its answers name a route which redirects to the file;
	// those of the other name the file itself.
	Redirects bool
	// Errors is how it refuses.
	Errors Errors
	// Identifiers are those of its exports and files.
	Identifiers Identifiers
}

// Errors is how an interface refuses (export API section 7).
type Errors struct {
	// Schema is the file that lists them.
	Schema string
	// Number, Name and Message are members of the body; without a Number, errors
	// have names only.
	Number, Name, Message string
}

// Identifiers are those that an interface gives out (export API sections 2.2,
// 2.6 and 2.7).
type Identifiers struct {
	// Created is the member of the answer to a creation that carries one.
	Created string
	// Export begins those of exports; empty where they are UUIDs.
	Export string
	// File begins those of the parts of a file; empty where parts have none.
	File string
}

// Legacy is the interface of campaigns and the userbase. The routes that are no
// part of the export API refuse as it does.
func Legacy() Interface {
	return Interface{
		Name: "legacy", Title: "Legacy", Summary: "Exports of push, transactional and in-app campaigns, of reachability and of the userbase, as CSV.",
		KeyVariable: "api_key", DateLayout: LocalDateTime,
		Errors:      Errors{Schema: "legacy/error.json", Number: "code", Name: "type", Message: "message"},
		Identifiers: Identifiers{Created: "requestId"},
	}
}

// Profiles is the interface of profiles.
func Profiles() Interface {
	return Interface{
		Name: "profiles", Title: "Profile", Summary: "Exports of profiles, of what was sent to them and of how they can be reached, as JSON.",
		DateLayout: time.RFC3339, Parts: true, Redirects: true,
		Errors:      Errors{Schema: "profiles/error.json", Name: "error_code", Message: "error_message"},
		Identifiers: Identifiers{Created: "id", Export: "export_", File: "file_"},
	}
}

// Interfaces are all of them.
func Interfaces() []Interface { return []Interface{Legacy(), Profiles()} }

// InterfaceNamed is the interface of an export, an endpoint or a record.
func InterfaceNamed(name string) (found Interface, known bool) {
	for _, each := range Interfaces() {
		if each.Name == name {
			return each, true
		}
	}
	return Interface{}, false
}

// InterfaceOfExport is the interface that gave out the identifier of an export,
// which may be known to nobody.
func InterfaceOfExport(id string) Interface {
	for _, each := range Interfaces() {
		if prefix := each.Identifiers.Export; prefix != "" && strings.HasPrefix(id, prefix) {
			return each
		}
	}
	return Legacy()
}

// IsExport tells whether a text has the shape of an identifier of an export.
func (i Identifiers) IsExport(text string) bool {
	if i.Export != "" {
		return strings.HasPrefix(text, i.Export) && len(text) > len(i.Export)
	}
	return uuidShape.MatchString(text)
}

var uuidShape = regexp.MustCompile(`^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// FileOf is the identifier of a part of the file of an export: both share what
// follows their beginnings.
func (i Identifiers) FileOf(export string, part int) string {
	return i.File + strings.TrimPrefix(export, i.Export) + "_" + strconv.Itoa(part)
}

// ParseFile undoes FileOf.
func (i Identifiers) ParseFile(id string) (export string, part int, ok bool) {
	opaque, number, found := strings.Cut(strings.TrimPrefix(id, i.File), "_")
	part, err := strconv.Atoi(number)
	return i.Export + opaque, part, found && err == nil
}
