package api

import (
	"fmt"
	"net/http"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// mostMarks is how many places of a file an index names at most: with files of
// ten million rows, one every few hundred.
const mostMarks = 1 << 15

// fileIndex says how large a file is and where rows of it begin, for a reader
// that shows the middle of a file without what is before it.
type fileIndex struct {
	Rows  int64           `json:"rows"`
	Size  int64           `json:"size"`
	Parts []fileIndexPart `json:"parts"`
}

type fileIndexPart struct {
	Number int   `json:"number"`
	Rows   int64 `json:"rows"`
	Size   int64 `json:"size"`
	// Link is where the part is, made anew for this answer.
	Link string `json:"link"`
	// Offsets and FirstRows are equally long: FirstRows[i] rows of the part are
	// before the byte Offsets[i], at which a row begins.
	Offsets   []int64 `json:"offsets"`
	FirstRows []int64 `json:"first_rows"`
}

// controlIndex lays the file of an export out and tells where its rows are. It
// moves nothing, and a client that polls the export is not disturbed.
func (s *Service) controlIndex(r *request) (response, error) {
	id := r.variables["id"]
	record, err := s.store.Get(r.Context(), id)
	if err != nil {
		return response{}, notThere(err, id)
	}
	r.now = s.clocks.Of(record.Owner).Now() // links and files go by the clock of the key
	if state := s.stateOf(record, r.now); state.Status != exports.Success || state.FileExpired {
		status := string(state.Status)
		if state.FileExpired {
			status = "older than a month"
		}
		return response{}, refuse(Conflict, "the export %s has no file: it is %s; there is an index from SUCCESS until the file's month is over", shortened(id), status)
	}
	file, err := s.files.open(r.Context(), record)
	if err != nil {
		return response{}, fmt.Errorf("laying out the file of export %s: %w", id, err)
	}
	index := fileIndex{}
	for _, part := range file.Parts() {
		marks, err := file.Index(part.Number, max(mostMarks/len(file.Parts()), 1))
		if err != nil {
			return response{}, fmt.Errorf("indexing the file of export %s: %w", id, err)
		}
		shown := fileIndexPart{
			Number: part.Number, Rows: part.Rows, Size: part.Size, Link: s.link(r, s.fileName(record, part.Number)),
			Offsets: make([]int64, len(marks)), FirstRows: make([]int64, len(marks)),
		}
		for i, mark := range marks {
			shown.Offsets[i], shown.FirstRows[i] = mark.Offset, mark.Row
		}
		index.Rows += part.Rows
		index.Size += part.Size
		index.Parts = append(index.Parts, shown)
	}
	return response{status: http.StatusOK, body: mustJSON(index)}, nil
}
