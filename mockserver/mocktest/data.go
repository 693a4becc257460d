package mocktest

import (
	"encoding/json"
	"net/url"
)

// Data is a dataset of the mock: the one that all keys share, or that of one key.
type Data struct {
	mock *Mock
	key  string
}

// Data is the dataset of all keys that have none of their own.
func (m *Mock) Data() Data { return Data{mock: m} }

// KeyData is the dataset of an application key or project key. Its first rows, or a mode, make it that key's own: its exports show that
// and not the one that all keys share, and no other key shows it.
func (m *Mock) KeyData(key string) Data { return Data{mock: m, key: key} }

// Load adds rows to the dataset of all keys, see [Data.Load].
func (m *Mock) Load(kind string, rows ...any) {
	m.t.Helper()
	m.Data().Load(kind, rows...)
}

// Load adds rows: of the kind "profiles", "installations" or "events", each a struct or a map that becomes a JSON object. All rows are
// loaded, or the test ends with what is wrong with which.
func (d Data) Load(kind string, rows ...any) {
	d.mock.t.Helper()
	text, err := json.Marshal(rows)
	if err == nil {
		err = d.mock.send("POST", "/_mock/data/"+url.PathEscape(kind)+query("key", d.key), "application/json", text, nil)
	}
	if err != nil {
		d.mock.t.Fatalf("mocktest: loading %s: %v", kind, err)
	}
}

// Show says what exports show: "mixed", the rows among the synthetic ones, or "only", the rows alone.
func (d Data) Show(mode string) {
	d.mock.t.Helper()
	d.mock.control("POST", "/_mock/data"+query("key", d.key), map[string]any{"mode": mode}, nil)
}

// Reset goes back to the dataset of the Options, and a key back to the dataset that all keys share.
func (d Data) Reset() {
	d.mock.t.Helper()
	d.mock.control("DELETE", "/_mock/data"+query("key", d.key), nil, nil)
}
