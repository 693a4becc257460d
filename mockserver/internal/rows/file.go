package rows

import (
	"sync"

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
	view     world.View
	source   source
	pieces   pieces
}

// source is where the rows come from.
type source struct {
	world *world.World
	scope world.Scope
}

// pieces are how many units are rendered at a time for Write.
type pieces struct {
	once  sync.Once
	units int64
}

// Source is where the rows of the file come from: the world, and the scope of
// its facts, with the view. Benchmarks write the same rows with it.
func (f *File) Source() (*world.World, world.Scope) { return f.source.world, f.source.scope }

// WithView is the file with the rows of another view, of the same events.
func (f *File) WithView(view world.View) *File {
	return &File{renderer: f.renderer, export: f.export, spec: f.spec, plan: f.plan, view: view, source: f.source}
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
