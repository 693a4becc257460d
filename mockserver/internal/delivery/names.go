package delivery

import (
	"path"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// Path is where links point to.
const Path = "/files/"

// FileName is the last path segment of a link: the export, the part and the
// format.
func (f *Files) FileName(record *exports.Record, part int) string {
	return record.ID + "." + strconv.Itoa(part) + "." + f.kinds[record.Kind].format
}

// ParseFileName undoes FileName.
func ParseFileName(name string) (id string, part int, ok bool) {
	stem := strings.TrimSuffix(name, path.Ext(name))
	id, number, found := strings.Cut(stem, ".")
	part, err := strconv.Atoi(number)
	return id, part, found && err == nil
}

// DownloadName is the name under which a browser saves a part.
func DownloadName(name string, part, parts int) string {
	if parts == 1 {
		return name
	}
	extension := path.Ext(name)
	return strings.TrimSuffix(name, extension) + "-" + strconv.Itoa(part) + extension
}

// Link is a link to a file, under the address of the server, with its signed
// query.
func Link(base, name, query string) string { return base + Path + name + "?" + query }
