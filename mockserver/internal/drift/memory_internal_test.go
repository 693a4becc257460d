package drift

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestMemoryIsBounded: neither files nor fresh links make the memory of an observer larger for ever, and the newest stay.
func TestMemoryIsBounded(t *testing.T) {
	o := must.Get(New(fstest.MapFS{}))(t)
	its, known := o.exportOf("userbase")
	if !known {
		t.Fatal("there is no userbase")
	}
	const header = "install_id;custom_id;advertising_id;is_optin_push;install_date;last_start_date;smart_segment\n"
	for number := range 4 * mostRows / mostOthers {
		rows := strings.Repeat(fmt.Sprintf("i;%d;;true;2026-03-01T00:00:00;2026-03-01T00:00:00;\n", number), 2*mostOthers)
		o.rememberRows(its, file{link: link{export: &export{kind: its}}, body: &bytesBody{[]byte(header + rows)}})
		others := o.past.others[its.Output]
		newest, _ := others[len(others)-1].(map[string]any)
		if len(others) != min((number+1)*mostOthers, mostRows) || newest["custom_id"] != fmt.Sprint(number) {
			t.Fatalf("after file %d there are %d rows, the last one %v", number, len(others), newest)
		}
	}
	c := &conversation{o: o, x: &Exchange{}}
	for number := range 2 * mostUsed {
		c.issued(&url.URL{Scheme: "https", Host: "h", Path: "/a", RawQuery: fmt.Sprint(number / 2)}) // each of them twice
		c.issued(&url.URL{Scheme: "https", Host: "h", Path: "/b", RawQuery: fmt.Sprint(number)})
	}
	if len(o.past.used) != mostUsed || len(o.past.issued) != mostUsed || o.past.used[fmt.Sprintf("https://h/b?%d", 2*mostUsed-1)] == nil {
		t.Errorf("%d links are remembered, and %d in order", len(o.past.used), len(o.past.issued))
	}
}
