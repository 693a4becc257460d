package rows

import (
	"fmt"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/ahead"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/limiter"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Renderer opens files. It holds what all files share: the schemas, the limit of
// work on the processors, and recycled memory.
type Renderer struct {
	library   *schemas.Library
	limiter   *limiter.Limiter
	pool      program.Pool
	resume    program.ResumeCache
	texts     program.TextCache
	ahead     *ahead.Shared
	files     atomic.Int64 // how many were opened
	datasetAt DatasetAt
	// mostPlaces is how many bytes the places of one file's blocks may take.
	mostPlaces int64
}

// DatasetAt returns the dataset as it was in a generation.
type DatasetAt func(generation int64) (*dataset.Snapshot, error)

// UseDataset lets files show the rows of a dataset. It is called before the first
// file is opened; without it, a file that was promised such rows cannot be opened.
func (r *Renderer) UseDataset(at DatasetAt) { r.datasetAt = at }

// NewRenderer makes a renderer of the files that the schemas of a library
// describe. At most one block less than GOMAXPROCS is rendered at a time, and at
// least one.
func NewRenderer(library *schemas.Library) *Renderer {
	r := &Renderer{library: library, resume: program.NewResumeCache()}
	r.Limit(max(runtime.GOMAXPROCS(0)-1, 1), math.MaxInt64, 0)
	return r
}

// Limit sets how many blocks are rendered at a time, how many bytes the places of the
// blocks of one file may take, and how many bytes of text are kept of all files; 0:
// none. It is called before the first file is opened.
func (r *Renderer) Limit(blocks int, places, text int64) {
	r.limiter, r.mostPlaces, r.texts.Most = limiter.New(blocks), places, text
	r.ahead = ahead.New(r.limiter, &r.pool)
}

// TextKept is how many bytes the text takes that is kept of files.
func (r *Renderer) TextKept() int64 { return r.texts.Used() }

// Rendering is how many blocks are being rendered.
func (r *Renderer) Rendering() int { return r.limiter.Running() }

// PlacesError says that the blocks of a file are more than may be kept.
type PlacesError struct{ Bytes int64 }

func (e *PlacesError) Error() string {
	return fmt.Sprintf("the places of the blocks of the file take more than %d bytes", e.Bytes)
}

// MostParts is how many parts a file has at most: an answer names all of them.
const MostParts = 10_000

// PartsError says that a file has more parts than that.
type PartsError struct{ PartSize int64 }

func (e *PartsError) Error() string {
	return fmt.Sprintf("the file has more than %d parts of %d bytes", MostParts, e.PartSize)
}

// Do runs work within the limit of CPU work, and returns when it is done. Callers
// that do long work of their own for a file, such as compressing it, use it too.
// The work must not call Do itself, nor wait for a client.
func (r *Renderer) Do(work func()) { r.limiter.Do(work) }

// StaleError says that a file was promised by another version of the world or
// of the schemas, so its bytes can no longer be made.
type StaleError struct {
	What        string // "world version" or "schema digest"
	Found, Want string
}

func (e *StaleError) Error() string {
	return fmt.Sprintf("the file was promised under %s %s, this server renders %s only: create the export again", e.What, e.Found, e.Want)
}

// Open compiles the plan of a file. It reads no rows yet, so it costs the same
// whatever the size of the file. It fails with a *StaleError for a file of
// another world version or other schemas, and with a plain error when the
// schemas ask for something that cannot be generated; that one names the
// schema and the member.
func (r *Renderer) Open(spec exports.File) (*File, error) {
	if spec.WorldVersion != world.Version {
		return nil, &StaleError{"world version", fmt.Sprint(spec.WorldVersion), fmt.Sprint(world.Version)}
	}
	export, found := r.export(func(e schemas.Export) bool { return e.Kind == spec.Kind })
	if !found {
		return nil, fmt.Errorf("export kind %q is not known", spec.Kind)
	}
	if spec.SchemaDigest != "" && spec.SchemaDigest != export.Digest {
		return nil, &StaleError{"schema digest", spec.SchemaDigest, export.Digest}
	}
	file, err := r.plan(export, spec)
	return file, inPlace(merged.Schema{r.library.Schema(export.Output)}, err)
}

func (r *Renderer) export(is func(schemas.Export) bool) (schemas.Export, bool) {
	for _, export := range r.library.Exports() {
		if is(export) {
			return export, true
		}
	}
	return schemas.Export{}, false
}

// streamName names the stream of messages of one campaign or group, whether an
// export lists its events or its recipients.
func streamName(export schemas.Export, target string) string { return export.Stream + "/" + target }
