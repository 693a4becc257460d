package rows

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Renderer opens files. It holds what all files share: the schemas, and the
// right to use the processors, which files take in turns so that whoever else
// runs on the machine gets its share.
type Renderer struct {
	library  *schemas.Library
	limiter    chan struct{}
	scratches sync.Pool // of *scratch
	buffers    sync.Pool // of *[]byte
	resume  parking
	datasetAt     DatasetAt
}

// borrow lends the memory of a render: whoever waits for a client holds none.
func (r *Renderer) borrow() *scratch {
	if memory, is := r.scratches.Get().(*scratch); is {
		return memory
	}
	return &scratch{}
}

func (r *Renderer) giveBack(memory *scratch) { r.scratches.Put(memory) }

// lend lends the memory of a piece.
func (r *Renderer) lend() []byte {
	if text, is := r.buffers.Get().(*[]byte); is {
		return (*text)[:0]
	}
	return make([]byte, 0, pieceBytes+pieceBytes/8) // with room for the last row
}

func (r *Renderer) takeBack(text []byte) {
	if cap(text) > 0 && cap(text) <= 2*pieceBytes {
		r.buffers.Put(&text)
	}
}

// DatasetAt gives own data as it was in a generation.
type DatasetAt func(generation int64) (*dataset.Snapshot, error)

// UseDataset lets files show own data. It is called before the first file is
// opened; without it, a file that was promised own data cannot be.
func (r *Renderer) UseDataset(own DatasetAt) { r.datasetAt = own }

// NewRenderer makes a renderer of the files that the schemas of a library
// describe. At most one less than GOMAXPROCS blocks are rendered at a time, and
// at least one.
func NewRenderer(library *schemas.Library) *Renderer {
	return &Renderer{library: library, limiter: make(chan struct{}, max(runtime.GOMAXPROCS(0)-1, 1)), resume: newParking()}
}

// Do runs work while holding a processor's turn, and returns when it is done.
// Callers that do long work of their own for a file, such as compressing it,
// take their turns here too. The work must not take another turn, nor wait for
// a client.
//
// The work has a goroutine of its own: the stack that it needs is gone when the
// caller waits for its client, and between two turns others run.
func (r *Renderer) Do(work func()) {
	r.limiter <- struct{}{}
	done := make(chan error, 1)
	go func() {
		defer func() {
			<-r.limiter
			if cause := recover(); cause != nil {
				done <- fmt.Errorf("%v\n%s", cause, debug.Stack())
			}
			close(done)
		}()
		work()
	}()
	if err := <-done; err != nil {
		panic(err) // where whoever asked for the work can see it
	}
}

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
	if err != nil {
		return nil, fmt.Errorf("%s: %w", export.Output, err)
	}
	return file, nil
}

func (r *Renderer) export(is func(schemas.Export) bool) (schemas.Export, bool) {
	for _, export := range r.library.Exports() {
		if is(export) {
			return export, true
		}
	}
	return schemas.Export{}, false
}

// streamName names the stream of messages that exports of one campaign share,
// whether they list its events or its recipients.
func streamName(export schemas.Export, target string) string {
	group, _, _ := strings.Cut(export.Kind, ".")
	return group + "/" + target
}
