package mockserver_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
)

func TestOwnDataOptions(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	server, err := mockserver.New(mockserver.Options{StartAt: noon, Data: fstest.MapFS{"installations.csv": file("install_id\nphone-1\nphone-2\n")}, DataMode: "only"})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if _, body := do(t, server, "GET", "http://localhost/_mock/data", ""); !strings.Contains(body, `"mode":"only","profiles":0,"installations":2`) {
		t.Errorf("the server holds %s", body)
	}
	for _, c := range []struct {
		options mockserver.Options
		want    string
	}{
		{mockserver.Options{StartAt: noon, DataMode: "instead"}, `data mode "instead" is not known`},
		{mockserver.Options{StartAt: noon, Data: fstest.MapFS{}}, "data: there is no dataset in it"},
		{mockserver.Options{StartAt: noon, Data: fstest.MapFS{"events.csv": file("type\nvisit\n")}}, "data: events.csv, line 2, column 1: "},
	} {
		if server, err := mockserver.New(c.options); err == nil {
			server.Close()
			t.Errorf("there is no error that says %q", c.want)
		} else if !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error %q does not say %q", err, c.want)
		}
	}
}
