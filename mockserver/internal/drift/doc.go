// Package drift finds what a service does that the schema files do not say.
//
// It is given the exchanges of clients with a service, one after another, and holds every request, answer, header and file against the
// schemas, the dialect and the life of an export. Each difference is one [Finding], however often it was seen: the smallest change of the
// schema files that would allow it is applied in memory at once, and offered as an overlay.
//
// A finding never shows what was sent: values appear by their shape, names of members and values of enumerations as they are.
package drift
