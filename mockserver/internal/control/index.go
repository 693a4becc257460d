package control

import (
	"fmt"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// fileIndex says how large a file is and where rows of it begin, for a reader that shows the middle of a file without what is before it.
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
	// Offsets and FirstRows are equally long: FirstRows[i] rows of the part are before the byte Offsets[i], at which a row begins.
	Offsets   []int64 `json:"offsets"`
	FirstRows []int64 `json:"first_rows"`
}

// exportsIndex tells where the rows of the file of an export are, which is written first. It
// moves nothing, and a client that polls the export is not disturbed.
func (a *API) exportsIndex(r *httpd.Request) (httpd.Response, error) {
	id := r.Variables["id"]
	record, err := a.Store.Get(r.Context(), id)
	if err != nil {
		return httpd.Response{}, notThere(err, id)
	}
	r.Now = a.Live.NowOf(record.Owner) // links and files go by the clock of the key
	if err := a.hasFile(record); err != nil {
		return httpd.Response{}, err
	}
	parts, err := a.Files.Parts(r.Context(), record)
	if err != nil {
		return httpd.Response{}, fmt.Errorf("writing the file of export %s: %w", id, err)
	}
	its, _ := a.dialect.Named(record.Interface)
	index := fileIndex{}
	for _, part := range parts {
		name := a.Files.FileName(record, part.Number)
		shown := fileIndexPart{
			Number: part.Number, Rows: part.Rows, Size: part.Size, Link: files.Link(httpd.BaseURL(r.Request, a.PublicURL), name,
				a.Live.SignLink(name, r.Now.Add(time.Duration(its.Files.LinkLifetime)))),
			Offsets: make([]int64, len(part.Marks)), FirstRows: make([]int64, len(part.Marks)),
		}
		for i, mark := range part.Marks {
			shown.Offsets[i], shown.FirstRows[i] = mark.Offset, mark.Row
		}
		index.Rows += part.Rows
		index.Size += part.Size
		index.Parts = append(index.Parts, shown)
	}
	return httpd.OK(index), nil
}

// hasFile refuses an export that has no file, by the clock of its key.
func (a *API) hasFile(record *exports.Record) error {
	state := a.Files.State(record, a.Live.NowOf(record.Owner))
	if state.Status == exports.Success && !state.FileExpired {
		return nil
	}
	status := state.Name
	if state.FileExpired {
		status = "gone since " + state.FileExpiresAt.UTC().Format(time.RFC3339)
	}
	return exports.Refuse(exports.Conflict, "the export %s has no file: it is %s; there is an index from %s until the file is gone",
		exports.Shorten(record.ID), status, a.states(record).Done())
}
