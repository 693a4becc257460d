package exports

import (
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/dialect"
)

// Interface is one of the two interfaces of the export API (export API section 5), with what is different on it. A route carries its
// interface; exports, endpoints and records name it. Code that depends on a difference asks for the fact, and reads it neither out of a
// path nor out of a kind or an identifier. What it is comes from the schema files: an overlay may speak another dialect.
type Interface struct {
	dialect.Interface
	// States are what it calls the statuses of an export.
	States States
	// FileNames are those in links, and those under which files are saved.
	FileNames FileNames
}

// Headers are the headers of an interface, Identifiers what it gives out (export API sections 2.2, 2.6 and 2.7), and
// Errors how it refuses (section 7).
type (
	Headers     = dialect.Headers
	Identifiers = dialect.Identifiers
	Errors      = dialect.Errors
)

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
	return Interface{its, statesOf(its.States), NewFileNames(its.Files.URLName, its.Files.Name, its.Files.PartName)}
}

// Specified is how the interfaces speak in the specification.
func Specified() Dialect {
	library, err := schemas.Embedded()
	if err != nil {
		return nil // whoever opens the schemas says why
	}
	return DialectOf(library)
}

// Legacy is the interface of campaigns and the userbase, as the specification has it.
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

// Legacy is the interface of campaigns and the userbase. The routes that are no part of the export API refuse as it does.
func (d Dialect) Legacy() Interface {
	legacy, _ := d.Named("legacy")
	return legacy
}

// OfExport is the interface that gave out the identifier of an export, which may be known to nobody.
func (d Dialect) OfExport(id string) Interface {
	for _, each := range d {
		if prefix := each.Identifiers.Export; prefix != "" && strings.HasPrefix(id, prefix) {
			return each
		}
	}
	return d.Legacy()
}

// ParseFileName reads the name of a file in a link: its interface, its export, and its part. ok tells whether the name is one that links
// have; the export may be known although it is not. Where several interfaces have such names, the file is of the one that ownerOf names
// for its export, if it is not nil.
func (d Dialect) ParseFileName(name string, ownerOf func(export string) string) (its Interface, export string, part int, ok bool) {
	its = d.Legacy()
	seen, owned := 0, false
	for _, each := range d {
		id, number, fits := each.FileNames.parse(name)
		if !each.Identifiers.IsExport(id) {
			continue
		}
		if seen++; seen > 1 && ownerOf != nil && !owned {
			owned = ownerOf(export) == its.Name
		}
		if owned || ok && (ownerOf == nil || ownerOf(id) != each.Name) {
			continue
		}
		if its, export, part, ok = each, id, 0, fits; fits {
			part = number
		}
	}
	return its, export, part, ok
}

// PartOf is the export of which a file is a part, and which one, as its name says when it was saved under that of a link; "": it does not.
func (d Dialect) PartOf(name string) (export string, part int) {
	base := name[strings.LastIndexAny(name, `/\`)+1:]
	its, export, part, ok := d.ParseFileName(strings.TrimSuffix(base, ".gz"), nil)
	if !ok {
		return "", 0
	}
	return its.Name + " " + export, part
}
