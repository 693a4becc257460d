package api

import (
	"container/list"
	"context"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// mostFiles is how many laid-out files are kept. Laying one out is a pass over
// the lengths of all its rows, so a client that polls, asks for HEAD and then
// resumes with ranges should cause only one.
const mostFiles = 64

// files keeps the most recently used laid-out files, by export identifier. A
// file is laid out once even when many requests ask for it at the same time.
type files struct {
	renderer *rows.Renderer

	lock    sync.Mutex
	byID    map[string]*list.Element // of *laidOut
	recency *list.List               // most recently used first
}

type laidOut struct {
	id    string
	ready chan struct{} // closed when file and err are set
	file  *rows.File
	err   error
}

func newFiles(library *schemas.Library) *files {
	return &files{renderer: rows.NewRenderer(library), byID: map[string]*list.Element{}, recency: list.New()}
}

// open returns the laid-out file of an export.
func (f *files) open(ctx context.Context, record *exports.Record) (*rows.File, error) {
	f.lock.Lock()
	element, known := f.byID[record.ID]
	if known {
		f.recency.MoveToFront(element)
	} else {
		element = f.recency.PushFront(&laidOut{id: record.ID, ready: make(chan struct{})})
		f.byID[record.ID] = element
		f.forgetOldest()
		// Others may wait for this file, so it is finished even when the
		// request that asked first goes away.
		go f.layOut(context.WithoutCancel(ctx), element, record.File)
	}
	f.lock.Unlock()

	entry := element.Value.(*laidOut)
	select {
	case <-entry.ready:
		return entry.file, entry.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// layOut fills an entry. One that failed is forgotten, so that the next
// request tries again.
func (f *files) layOut(ctx context.Context, element *list.Element, spec exports.File) {
	entry := element.Value.(*laidOut)
	defer close(entry.ready)
	file, err := f.renderer.Open(spec)
	if err == nil {
		err = file.Layout(ctx)
	}
	if err != nil {
		entry.err = err
		f.lock.Lock()
		defer f.lock.Unlock()
		if f.byID[entry.id] == element {
			f.recency.Remove(element)
			delete(f.byID, entry.id)
		}
		return
	}
	entry.file = file
}

// forgetOldest keeps the cache at its size. Requests that still read a
// forgotten file keep it alive.
func (f *files) forgetOldest() {
	for f.recency.Len() > mostFiles {
		oldest := f.recency.Back()
		f.recency.Remove(oldest)
		delete(f.byID, oldest.Value.(*laidOut).id)
	}
}
