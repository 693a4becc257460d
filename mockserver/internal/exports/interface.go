package exports

import (
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/dialect"
)

// Interface is one of the two interfaces of the export API (export API section
// 5), with what is different on it. A route carries its interface; exports,
// endpoints and records name it. Code that depends on a difference asks for the
// fact, and reads it neither out of a path nor out of a kind or an identifier.
// What it is comes from the schema files: an overlay may speak another dialect.
type Interface struct {
	// Name is what x-export, x-endpoints and records call it.
	Name string
	// Title and Summary head its routes in the API document.
	Title, Summary string
	// Version is the first segment of its paths.
	Version string
	// KeyVariable is the variable of its paths that names the application, which
	// the key of the company opens; empty where headers name a project, which a
	// token opens.
	KeyVariable string
	// Parts tells that a file which is too large is split into parts.
	Parts bool
	// Redirects tells that its answers name a route which redirects to the file;
	// those of the other name the file itself.
	Redirects bool
	// Headers are those of its requests and answers.
	Headers Headers
	// Errors is how it refuses.
	Errors Errors
	// Identifiers are those of its exports and files.
	Identifiers Identifiers
	// States are what it calls the statuses of an export.
	States States
	// FileNames are those in links, and those under which files are saved.
	FileNames FileNames
	// LinkLifetime is how long a link to a file works, and LinkWords says it in words.
	LinkLifetime time.Duration
	LinkWords    string
	// Retention is how long a request is known; 0 says nothing of it.
	Retention time.Duration
	// Lints are the severities of lints that are not the usual ones, by code.
	Lints map[string]string
}

// Headers are the headers of an interface.
type Headers struct {
	// Credential carries the key or the token, behind the word Scheme where there
	// is one.
	Credential, Scheme string
	// Project names the project; empty where the path names the application.
	Project string
	// RetryAfter says how many seconds to wait.
	RetryAfter string
}

// Example is the header of the credential with a value.
func (h Headers) Example(credential string) string {
	return h.Credential + ": " + h.Value(credential)
}

// Value is what the header of the credential carries.
func (h Headers) Value(credential string) string {
	if h.Scheme == "" {
		return credential
	}
	return h.Scheme + " " + credential
}

// Token is what the header of the credential of a project carries, in words.
func (h Headers) Token() string {
	if strings.EqualFold(h.Scheme, "Bearer") {
		return "a bearer token"
	}
	return "a token"
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

// Dialect is how the interfaces speak.
type Dialect []Interface

// DialectOf is what schema files say of the interfaces. All who ask share it.
func DialectOf(library *schemas.Library) Dialect {
	type key struct{}
	return schemas.Derived(library, key{}, func() Dialect {
		var spoken Dialect
		for _, its := range library.Interfaces() {
			spoken = append(spoken, interfaceOf(its))
		}
		return spoken
	})
}

func interfaceOf(its dialect.Interface) Interface {
	return Interface{
		Name: its.Name, Title: its.Title, Summary: its.Summary, Version: its.Version, KeyVariable: its.KeyVariable,
		Parts: its.Files.Parts, Redirects: its.Files.Redirects(), Headers: Headers(its.Headers), Errors: Errors(its.Errors),
		Identifiers: Identifiers(its.Identifiers), States: statesOf(its.States), FileNames: NewFileNames(its.Files.URLName, its.Files.Name, its.Files.PartName),
		LinkLifetime: time.Duration(its.Files.LinkLifetime), LinkWords: its.Files.LinkLifetime.String(), Retention: its.Retention, Lints: its.Lints,
	}
}

// Specified is how the interfaces speak in the specification.
func Specified() Dialect {
	library, err := schemas.Embedded()
	if err != nil {
		return nil // whoever opens the schemas says why
	}
	return DialectOf(library)
}

// Legacy is the interface of campaigns and the userbase, as the specification
// has it.
func Legacy() Interface { return Specified().Legacy() }

// Profiles is the interface of profiles, as the specification has it.
func Profiles() Interface {
	profiles, _ := Specified().Named("profiles")
	return profiles
}

// Named is the interface of an export, an endpoint or a record.
func (d Dialect) Named(name string) (found Interface, known bool) {
	for _, each := range d {
		if each.Name == name {
			return each, true
		}
	}
	return Interface{}, false
}

// Legacy is the interface of campaigns and the userbase. The routes that are no
// part of the export API refuse as it does.
func (d Dialect) Legacy() Interface {
	legacy, _ := d.Named("legacy")
	return legacy
}

// OfExport is the interface that gave out the identifier of an export, which may
// be known to nobody.
func (d Dialect) OfExport(id string) Interface {
	for _, each := range d {
		if prefix := each.Identifiers.Export; prefix != "" && strings.HasPrefix(id, prefix) {
			return each
		}
	}
	return d.Legacy()
}

// ParseFileName reads the name of a file in a link: its interface, its export,
// and its part. ok tells whether the name is one that links have; the export may
// be known although it is not.
func (d Dialect) ParseFileName(name string) (its Interface, export string, part int, ok bool) {
	its = d.Legacy()
	for _, each := range d {
		id, number, fits := each.FileNames.parse(name)
		if !each.Identifiers.IsExport(id) {
			continue
		}
		if fits {
			return each, id, number, true
		}
		its, export = each, id
	}
	return its, export, part, false
}

// PartOf is the export of which a file is a part, and which one, as its name says when it was saved under that of a link; "": it does not.
func (d Dialect) PartOf(name string) (export string, part int) {
	base := name[strings.LastIndexAny(name, `/\`)+1:]
	its, export, part, ok := d.ParseFileName(strings.TrimSuffix(base, ".gz"))
	if !ok {
		return "", 0
	}
	return its.Name + " " + export, part
}

// IsExport tells whether a text has the shape of an identifier of an export.
func (i Identifiers) IsExport(text string) bool {
	if i.Export != "" {
		return strings.HasPrefix(text, i.Export) && len(text) > len(i.Export)
	}
	return isUUID(text)
}

func isUUID(text string) bool {
	if len(text) != len("00000000-0000-0000-0000-000000000000") {
		return false
	}
	for i := range len(text) {
		switch c := text[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F'):
			return false
		}
	}
	return true
}

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
