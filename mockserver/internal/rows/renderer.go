package rows

import (
	"fmt"
	"runtime"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/tempfile"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Renderer opens files. It holds what all files share: the schemas, and the limit of work on the processors.
type Renderer struct {
	library   *schemas.Library
	slots     chan struct{} // for the work that may be done at a time
	datasetAt DatasetAt
	spill     spill
}

// spill is where rows go that are put in order and do not fit into memory.
type spill struct {
	directory func() string
	room      tempfile.Room
}

// Spill sets the directory of rows that are put in order and do not fit into memory, and what they may take of the disk. Without
// it, it is that of the system, and the disk alone is the limit.
func (r *Renderer) Spill(directory func() string, room tempfile.Room) {
	r.spill = spill{directory, room}
}

// within is an output whose rows spill where they may.
func (s spill) within(out world.Output) world.Output {
	if out.Room = s.room; s.directory != nil {
		out.Directory = s.directory()
	}
	return out
}

// DatasetAt returns the dataset as it was in a generation.
type DatasetAt func(generation int64) (*dataset.Snapshot, error)

// UseDataset lets files show the rows of a dataset. It is called before the first
// file is opened; without it, a file that was promised such rows cannot be opened.
func (r *Renderer) UseDataset(at DatasetAt) { r.datasetAt = at }

// NewRenderer makes a renderer of the files that the schemas of a library
// describe. As many pieces are rendered at a time as there are processors.
func NewRenderer(library *schemas.Library) *Renderer {
	return &Renderer{library: library, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Do runs work within the limit of CPU work, and returns when it is done. Callers that do long work of their own for a file, such as
// compressing it, use it too. The work must not call Do itself, nor wait for a client.
func (r *Renderer) Do(work func()) {
	r.slots <- struct{}{}
	defer func() { <-r.slots }()
	work()
}

// StaleError says that a file was promised by another version of the world or of the schemas, so its bytes can no longer be made.
type StaleError struct {
	What        string // "world version" or "schema digest"
	Found, Want string
}

func (e *StaleError) Error() string {
	return fmt.Sprintf("the file was promised under %s %s, this server renders %s only: create the export again", e.What, e.Found, e.Want)
}

// Open compiles the plan of a file. It reads no rows yet, so it costs the same whatever the size of the file. It fails with a *StaleError
// for a file of another world version or other schemas, and with a plain error when the schemas ask for something that cannot be
// generated; that one names the schema and the member.
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
	if err := CheckSettings(r.library, spec.Settings); err != nil {
		return nil, err
	}
	file, err := r.plan(export, spec)
	if lost, is := err.(dataError); is {
		return nil, lost.error
	}
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

// streamName names the stream of messages of one campaign or group, whether an export lists its events or its recipients.
func streamName(export schemas.Export, target string) string { return export.Stream + "/" + target }
