package rows

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/layouts"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// File is an export file that is written when it is read. It is safe for
// concurrent use.
// See docs/explanation/determinism.md#why-are-files-not-stored
type File struct {
	renderer *Renderer
	number   int64 // tells it from the other files of its renderer
	export   schemas.Export
	spec     exports.File
	plan     *plan
	view     world.View
	source   source
	pieces   pieces

	fileLayout
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

// fileLayout is where the blocks and the parts of a file begin.
type fileLayout struct {
	laidOut sync.Mutex // held while the layout is made
	blocks  []block
	parts   []Part
	spans   []partSpan
}

// Part is one piece of a file, a whole document of its own. A CSV file has one
// part.
type Part struct {
	Number int    // from 1
	Size   int64  // bytes
	Rows   int64  // without the header
	ETag   string // a strong entity tag, with its quotes
}

// partSpan are the blocks of a part.
type partSpan struct {
	first, last  int   // blocks first up to, not including, last
	begin, bytes int64 // where its rows begin among those of all parts, and their length
}

// Source is where the rows of the file come from: the world, and the scope of
// its facts, with the view. Benchmarks write the same rows with it.
func (f *File) Source() (*world.World, world.Scope) { return f.source.world, f.source.scope }

// WithView is the file with the rows of another view, of the same events.
func (f *File) WithView(view world.View) *File {
	return &File{renderer: f.renderer, number: f.renderer.files.Add(1), export: f.export, spec: f.spec, plan: f.plan, view: view, source: f.source}
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

// Parts are the parts of the file in order, at least one. Layout comes first.
func (f *File) Parts() []Part { return f.parts }

// tag is the entity tag of a part: equal files have equal tags.
func (f *File) tag(part int) string {
	digest := f.digest(part)
	return `"` + hex.EncodeToString(digest[:]) + `"`
}

// digest is of everything that the bytes of a part depend on; part 0 is the whole file.
func (f *File) digest(part int) layouts.Digest {
	spec, err := json.Marshal(struct {
		exports.File
		Digest string
		Part   int
	}{f.spec, f.export.Digest, part})
	if err != nil {
		panic(err) // it was read from JSON
	}
	sum := sha256.Sum256(spec)
	return layouts.Digest(sum[:])
}

// limit is the largest number of rows of the file.
func (f *File) limit() int64 {
	if f.spec.MaxRows != nil {
		return max(*f.spec.MaxRows, 0)
	}
	return 1<<63 - 1
}
