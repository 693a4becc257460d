package asked

//go:generate go test -run ^TestJourneys$ . -update

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

var update = flag.Bool("update", false, "write journeys.json anew")

// TestJourneys writes down the journeys of the embedded schemas. What is read is what the schemas say.
func TestJourneys(t *testing.T) {
	library, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]writtenJourney{}
	for _, export := range library.Exports() {
		found[export.Kind] = writtenJourney{export.Digest, compiledJourney(library, export)}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(found); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("journeys.json", text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(text.Bytes(), written) {
		t.Fatal("journeys.json is not about these schema files: run make generate")
	}
	for _, export := range library.Exports() {
		if got, want := JourneyOf(library, export), found[export.Kind].Steps; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", export.Kind, got, want)
		}
	}
}

// TestJourneysOfOtherSchemas: what is written down is not good for an overlay that says something else.
func TestJourneysOfOtherSchemas(t *testing.T) {
	embedded, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	const name = "common/events.json"
	changed := bytes.Replace(embedded.Source(name), []byte(`"rate": 0.`), []byte(`"rate": 0.0`), 1)
	library, err := schemas.Open(fstest.MapFS{name: {Data: changed}})
	if err != nil {
		t.Fatal(err)
	}
	differ := 0
	for i, export := range library.Exports() {
		got := JourneyOf(library, export)
		if want := compiledJourney(library, export); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", export.Kind, got, want)
		}
		if !reflect.DeepEqual(got, JourneyOf(embedded, embedded.Exports()[i])) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("the overlay changes no journey")
	}
}
