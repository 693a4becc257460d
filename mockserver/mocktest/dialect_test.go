package mocktest_test

import (
	"os"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/mocktest"
)

// TestDialect: a test makes exports of a server that speaks another dialect as it does of any other.
func TestDialect(t *testing.T) {
	mock := mocktest.Start(t, mocktest.Options{Now: noon, Server: mockserver.Options{Schemas: os.DirFS("../e2e/testdata/dialect"), Progress: "manual", Profiles: 2000}})
	legacy := mock.Create("userbase", mocktest.ExportOptions{})
	for _, want := range []string{"QUEUED", "PREPARING", "RUNNING"} {
		must.Equal(t, legacy.Status(), want, "the export")
		legacy.Step()
	}
	if rows := legacy.Rows(); len(rows) < 100 || legacy.Status() != "COMPLETED" {
		t.Errorf("the export is %s and has %d rows", legacy.Status(), len(rows))
	}
	profiles := mock.Create("profiles.attributes", mocktest.ExportOptions{})
	var rows []struct{ Identifiers map[string]any }
	if profiles.Decode(&rows); len(rows) < 100 || rows[0].Identifiers["profile_id"] == nil {
		t.Errorf("%d profiles, the first is %v", len(rows), rows)
	}
	failed := mock.Create("profiles.attributes", mocktest.ExportOptions{})
	if failed.Fail("no"); failed.Status() != "BROKEN" {
		t.Errorf("the export that failed is %s", failed.Status())
	}
}
