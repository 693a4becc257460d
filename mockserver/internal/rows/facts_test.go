package rows_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Every source of the vocabulary is a fact, but the one that is the same for all
// rows of a file. That a dataset has the fact too, the compiler sees to.
func TestEverySourceIsAFact(t *testing.T) {
	var vocabulary struct {
		Properties map[string]struct {
			Enum []string `json:"enum"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(embedded(t).Source("vocabulary.json"), &vocabulary); err != nil {
		t.Fatal(err)
	}
	people := world.New(1, 10)
	view, err := people.View(world.Query{View: world.ViewProfiles, Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	sources := vocabulary.Properties["x-source"].Enum
	if len(sources) < 50 {
		t.Fatalf("the vocabulary has %d sources", len(sources))
	}
	for _, name := range sources {
		if name == "request.api_key" {
			continue
		}
		if _, known := people.Fact(name, world.Scope{View: view}); !known {
			t.Errorf("%s is a source of the vocabulary and no fact of the world", name)
		}
	}
}
