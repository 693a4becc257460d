package delivery

import (
	"context"
	"log/slog"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
)

const (
	// leastKept is of how many profiles, or rows, a file has to be for its layout to be
	// kept: others are laid out in a few milliseconds.
	leastKept = 4096
	// large is from how many profiles, or rows, on an export that ends by time waits for its
	// file: others are laid out in 20 ms when somebody asks.
	large = 20_000
	// lease is for how long a server that is gone keeps others from a layout.
	lease = 15 * time.Second
	// endPatience is how long the store may take to hear that a layout was not made.
	endPatience = 5 * time.Second
	// A server that waits for another one asks at first after shortWait, and at last
	// after each longWait.
	shortWait = 10 * time.Millisecond
	longWait  = 250 * time.Millisecond
)

// Layouts keep layouts, for this server when it is started again and for others that
// have the same state. store.Layouts says what the methods do.
type Layouts interface {
	ClaimLayout(ctx context.Context, id, owner string, lease time.Duration) (layout []byte, claimed bool, err error)
	KeepLayout(ctx context.Context, id, owner string, layout []byte) error
}

// layoutKeeper makes layouts, or takes those that were made.
type layoutKeeper struct {
	layouts Layouts // nil: none are kept
	owner   string  // this server
	logger  *slog.Logger
}

// UseLayouts lets layouts be kept, under the name of a server that no other one has. It is
// for the time before the first request.
func (f *Files) UseLayouts(kept Layouts, owner string) {
	f.keeper.layouts, f.keeper.owner = kept, owner
}

// keeps reports whether the layout of a file is worth keeping.
func (k *layoutKeeper) keeps(spec *exports.File) bool {
	return k.layouts != nil && (spec.Profiles >= leastKept || spec.DataGeneration > 0) && (spec.MaxRows == nil || *spec.MaxRows >= leastKept)
}

func isLarge(spec *exports.File) bool {
	return spec.Profiles >= large && (spec.MaxRows == nil || *spec.MaxRows >= large)
}

// recall is the file of an export by the layout that is kept, or nil when there is none,
// or nobody can tell.
func (f *Files) recall(ctx context.Context, record *exports.Record) *rows.File {
	k := &f.keeper
	if !k.keeps(&record.File) {
		return nil
	}
	f.lock.Lock()
	known := f.laidOut
	f.lock.Unlock()
	encoded, _, err := k.layouts.ClaimLayout(ctx, record.ID, k.owner, 0)
	if err != nil || encoded == nil {
		return nil
	}
	file, err := f.renderer.Open(record.File)
	if err == nil {
		err = file.UseLayout(encoded)
	}
	if err != nil {
		k.logger.Warn("a file is laid out again", "export", record.ID, "error", err)
		return nil
	}
	entry := &layout{ready: make(chan struct{}), file: file, cancel: func() {}}
	close(entry.ready)
	f.lock.Lock()
	defer f.lock.Unlock()
	// After ForgetAll it is of an export that may be another one now, and one that is begun is waited for.
	if _, begun := f.laidOut.get(record.ID); f.laidOut == known && !begun {
		f.remember(entry, record.ID)
	}
	return file
}

// layOut lays a file out, unless it is kept how. Of several servers one does it, and the
// others wait, without a place; without the store, each does it for itself.
func (k *layoutKeeper) layOut(ctx context.Context, id string, file *rows.File, in *place) error {
	for wait := shortWait; ; wait = min(2*wait, longWait) {
		layout, mine, err := k.layouts.ClaimLayout(ctx, id, k.owner, lease)
		if layout != nil {
			unfit := file.UseLayout(layout)
			if unfit == nil {
				return nil
			}
			k.logger.Warn("a file is laid out again", "export", id, "error", unfit)
			mine = true
		}
		switch {
		case in.taken && err != nil:
			return file.Layout(ctx)
		case in.taken && mine:
			return k.make(ctx, id, file)
		case err != nil || mine:
			// The other server has given up. Until there is a place here, it is for any of them.
			_ = k.layouts.KeepLayout(ctx, id, k.owner, nil)
			if err := in.take(ctx); err != nil {
				return err
			}
			continue
		}
		in.leave()
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// make lays a file out and keeps how. The claim is renewed meanwhile.
func (k *layoutKeeper) make(ctx context.Context, id string, file *rows.File) error {
	made, end := context.WithCancel(ctx)
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		tick := time.NewTicker(lease / 3)
		defer tick.Stop()
		for {
			select {
			case <-made.Done():
				return
			case <-tick.C:
				// Without the store, others may do the same work; it would be no other result.
				_, _, _ = k.layouts.ClaimLayout(made, id, k.owner, lease)
			}
		}
	}()
	var layout []byte // nil gives the claim back
	defer func() {
		end()
		<-renewed
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endPatience)
		defer cancel()
		if err := k.layouts.KeepLayout(ctx, id, k.owner, layout); err != nil {
			k.logger.Debug("the layout of a file is not kept", "export", id, "error", err)
		}
	}()
	if err := file.Layout(ctx); err != nil {
		return err
	}
	layout = file.EncodeLayout()
	return nil
}
