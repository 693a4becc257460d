package dataset_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// many are rows that need three batches of a store.
func many(t *testing.T) (rows input.Rows) {
	t.Helper()
	var text strings.Builder
	for i := range 9 {
		fmt.Fprintf(&text, `{"profile_id":"profile_%d","custom_id":"customer-%d","attributes":{"long":"%s"}}`+"\n", i, i,
			strings.Repeat("x", 1<<19))
	}
	return read(t, input.Profiles, text.String())
}

// TestLargeLoads checks that a load of several parts is one for everybody who shares the store, and after a restart.
func TestLargeLoads(t *testing.T) {
	ctx, shared := context.Background(), memory.New()
	one, other := open(t, shared), open(t, shared)
	load(t, one, input.Events, fmt.Sprintf(visit, 1))
	status, err := one.Of("").Load(ctx, many(t), noon)
	if err != nil || status.Profiles != 9 || status.Generation != 5 {
		t.Fatalf("a load of three parts: %+v, %v", status, err)
	}
	load(t, other, input.Profiles, `{"custom_id":"customer-3","language":"fr"}`)
	for name, log := range map[string]*dataset.Log{"one": one, "other": other, "a third": open(t, shared)} {
		if status, err := log.Of("").Current(ctx); err != nil || status.Generation != 6 || status.Profiles != 9 || status.Events != 1 {
			t.Errorf("%s holds %+v, %v", name, status, err)
		}
	}
}

// TestLosingARaceWithParts checks that what others store between the parts of a load comes before it, and that no part is stored twice.
func TestLosingARaceWithParts(t *testing.T) {
	ctx, shared := context.Background(), memory.New()
	other := open(t, shared)
	calls := 0
	log := open(t, &between{Store: shared, before: func() {
		if calls++; calls == 2 {
			load(t, other, input.Profiles, `{"custom_id":"customer-3","language":"fr"}`)
		}
	}})
	if status, err := log.Of("").Load(ctx, many(t), noon); err != nil || status.Profiles != 9 || status.Generation != 5 {
		t.Errorf("after a lost race: %+v, %v", status, err)
	}
	if status, err := other.Of("").Current(ctx); err != nil || status.Profiles != 9 || status.Generation != 5 {
		t.Errorf("the other one holds %+v, %v", status, err)
	}
}

// between is a store that calls somebody before each batch.
type between struct {
	dataset.Store
	before func()
}

func (b *between) AppendData(ctx context.Context, epoch, generation int64, batch []byte) error {
	b.before()
	return b.Store.AppendData(ctx, epoch, generation, batch)
}

// filling is a store that is full after a number of batches.
type filling struct {
	dataset.Store
	room int
}

func (f *filling) AppendData(ctx context.Context, epoch, generation int64, batch []byte) error {
	if f.room--; f.room < 0 {
		return errFull
	}
	return f.Store.AppendData(ctx, epoch, generation, batch)
}

// narrow is a store without room for large batches from one of them on.
type narrow struct {
	dataset.Store
	before int
}

func (f *narrow) AppendData(ctx context.Context, epoch, generation int64, batch []byte) error {
	if f.before--; f.before < 0 && len(batch) > 1<<19 {
		return errFull
	}
	return f.Store.AppendData(ctx, epoch, generation, batch)
}

// forgetful is a store whose answer to the last batch of a load of three parts gets lost.
type forgetful struct {
	dataset.Store
	batches int
}

func (f *forgetful) AppendData(ctx context.Context, epoch, generation int64, batch []byte) error {
	err := f.Store.AppendData(ctx, epoch, generation, batch)
	if f.batches++; f.batches == 4 && err == nil {
		return errLost
	}
	return err
}

var errLost = errors.New("the answer is lost")

// TestPartsOfAFailedLoad checks that their rows go, unless the load has happened.
func TestPartsOfAFailedLoad(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]struct {
		store func(dataset.Store) dataset.Store
		want  error
		rows  int
	}{
		"full":        {func(kept dataset.Store) dataset.Store { return &narrow{kept, 2} }, errFull, 0},
		"lost answer": {func(kept dataset.Store) dataset.Store { return &forgetful{Store: kept} }, errLost, 9},
	} {
		t.Run(name, func(t *testing.T) {
			kept := memory.New()
			log := open(t, c.store(kept))
			if _, err := log.Of("").Load(ctx, many(t), noon); !errors.Is(err, c.want) {
				t.Fatalf("the load ended with %v, want %v", err, c.want)
			}
			if rows := log.Rows(); rows != int64(c.rows) {
				t.Errorf("%d rows are counted, want %d", rows, c.rows)
			}
			bytes := bytesOf(t, kept)
			must.Equal(t, bytes > 1000, c.rows > 0, "the store keeps the load of %d rows in %d bytes", c.rows, bytes)
			for about, log := range map[string]*dataset.Log{"the log": log, "another": open(t, kept)} {
				must.Equal(t, must.Get(log.Of("").Current(ctx))(t).Profiles, c.rows, "%s", about)
			}
			must.Equal(t, must.Get(open(t, kept).Of("").Load(ctx, many(t), noon))(t).Profiles, 9, "loaded once more")
		})
	}
}

// bytesOf is how many bytes of batches a store has.
func bytesOf(t *testing.T, kept dataset.Store) (bytes int) {
	t.Helper()
	for generation := int64(0); ; {
		batches := must.Get(kept.DataAfter(t.Context(), generation))(t)
		if generation += int64(len(batches)); len(batches) == 0 {
			return bytes
		}
		for _, batch := range batches {
			bytes += len(batch)
		}
	}
}

// TestHalfALoadIsNone checks that parts without their end show nothing, and that they go when the program begins again.
func TestHalfALoadIsNone(t *testing.T) {
	ctx, kept := context.Background(), memory.New()
	log := open(t, &filling{Store: kept, room: 2})
	if _, err := log.Of("").Load(ctx, many(t), noon); !errors.Is(err, errFull) {
		t.Fatalf("a load into a full store ended with %v", err)
	}
	again := open(t, kept)
	must.Equal(t, must.Get(again.Of("").Current(ctx))(t).Profiles, 0, "half a load left")
	if bytes := bytesOf(t, kept); bytes > 1000 {
		t.Errorf("half a load left %d bytes", bytes)
	}
	generation := generationOf(t, again)
	must.Equal(t, generationOf(t, open(t, kept)), generation, "nothing is left, and opening made a generation")
	must.Equal(t, must.Get(again.Of("").Load(ctx, many(t), noon))(t).Profiles, 9, "loaded once more")
}

// TestBatchesOfOldVersions reads batches as versions wrote them that held everything in memory.
func TestBatchesOfOldVersions(t *testing.T) {
	ctx, kept := context.Background(), memory.New()
	for i, batch := range []string{
		`{"reset":true,"origin":"0a1b","mode":"only","at":1773575999,"profiles":[{"custom_id":"ada","segments":["vip"]},{"profile_id":"profile_b"}],"installations":[{"install_id":"phone-1","custom_id":"ada"}],"events":[{"type":"visit","install_id":"phone-1"},{"type":"push_opened","date":"2026-03-14T00:00:00.5Z","install_id":"phone-2","campaign":"c"}]}`,
		`{"at":1773576000,"events":[{"type":"custom_event","custom_id":"ada","name":"bought","tags":["x"],"label":null,"data":{"price":1e2}}]}`,
		`{"mode":"mixed","at":1773576001}`,
		`{"reset":true,"origin":"0a1b","again":1,"mode":"only","at":1773576002}`,
	} {
		must.Do(t, kept.AppendData(ctx, 0, int64(i)+1, []byte(batch)))
	}
	log := open(t, kept)
	status, err := log.Of("").Current(ctx)
	if want := (dataset.Status{Generation: 4, Mode: dataset.Only, Profiles: 2, Installations: 1, Events: 2}); err != nil || status != want {
		t.Errorf("the log holds %+v, %v, want %+v", status, err, want)
	}
	for generation := range int64(5) {
		if _, err := log.At(ctx, generation); err != nil {
			t.Errorf("generation %d: %v", generation, err)
		}
	}
	must.Do(t, log.Begin(ctx, read(t, input.Events, fmt.Sprintf(visit, 1)), "0a1b", "", noon))
	if status, _ := log.Of("").Current(ctx); status.Generation != 4 {
		t.Errorf("the directory of an old state is loaded again: %+v", status)
	}
}

func generationOf(t *testing.T, log *dataset.Log) int64 {
	t.Helper()
	status := must.Get(log.Of("").Current(t.Context()))(t)
	return status.Generation
}
