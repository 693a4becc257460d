package files

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"

// Path is where links point to.
const Path = "/files/"

// FileName is the last path segment of a link.
func (f *Files) FileName(record *exports.Record, part int) string {
	kind := f.known.kinds[record.Kind]
	return kind.its.FileNames.InLink(kind.name(record, part))
}

// SavedName is the name under which a browser saves a part.
func (f *Files) SavedName(record *exports.Record, part, parts int) string {
	kind := f.known.kinds[record.Kind]
	return kind.its.FileNames.Saved(kind.name(record, part), parts)
}

func (k kind) name(record *exports.Record, part int) exports.FileName {
	return exports.FileName{Export: record.ID, Kind: record.Kind, Format: k.format, Part: part}
}

// Link is a link to a file, under the address of the server, with its signed query.
func Link(base, name, query string) string { return base + Path + name + "?" + query }
