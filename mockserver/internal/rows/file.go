package rows

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// File is an export file that is ready to be written. It is safe for concurrent use.
type File struct {
	renderer *Renderer
	export   schemas.Export
	spec     exports.File
	plan     *plan
	view     *world.View
	arrives  *arrival.View // what has arrived of the rows; nil: all of them
}

// ContentType is the media type of the file.
func (f *File) ContentType() string {
	if f.plan.format.CSV {
		return "text/csv; charset=utf-8"
	}
	if f.plan.format.Lines {
		return "application/x-ndjson"
	}
	return "application/json"
}

// limit is the largest number of rows of the file.
func (f *File) limit() int64 {
	if f.spec.MaxRows != nil {
		return max(*f.spec.MaxRows, 0)
	}
	return 1<<63 - 1
}
