package bolt_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestDatasetOutlivesTheProcess: what was loaded is there when the file is opened again.
func TestDatasetOutlivesTheProcess(t *testing.T) {
	library := must.Get(schemas.Embedded())(t)
	path := filepath.Join(t.TempDir(), "state.db")
	openLog := func(kept dataset.Store) *dataset.Log {
		return must.Get(dataset.Open(t.Context(), kept, nil))(t)
	}
	kept := open(t, path)
	log := openLog(kept)
	for i := range 5 {
		rows, err := input.Read(library, input.Events, input.NDJSON, "", strings.NewReader(fmt.Sprintf(`{"type":"visit","install_id":"phone-%d"}`, i)))
		if err != nil {
			t.Fatal(err)
		}
		must.Get(log.Of("").Load(t.Context(), input.Rows(rows), time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)))(t)
	}
	must.Do(t, kept.Close())
	kept = open(t, path)
	defer kept.Close()
	if status, err := openLog(kept).Of("").Current(t.Context()); err != nil || status.Events != 5 || status.Generation != 5 {
		t.Errorf("after a restart: %+v, %v", status, err)
	}
}
