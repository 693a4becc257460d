// Command recorder writes the examples of the API document: it plays a client
// to servers in memory, with the demo credentials and on a clock that stands
// still, and keeps what they answer. It reads the API document itself to know
// what to ask. The same schemas give the same bytes.
//
// `make generate` runs it; its test says when the file is stale.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/openapi"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pages"
)

// exampleNow is a week after the dates that the schemas have as examples.
var exampleNow = time.Date(2026, 2, 7, 8, 30, 0, 0, time.UTC)

// small is a company that is not on the enterprise plan.
var small = mockserver.Company{
	Key: "rest_small", Plan: "small",
	Applications: []mockserver.Application{{Key: "live_small"}},
	Projects:     []mockserver.Project{{Key: "project_small", Tokens: []string{"token_small"}}},
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: recorder FILE")
	}
	made, err := record()
	if err != nil {
		log.Fatal(err)
	}
	if old, err := os.ReadFile(os.Args[1]); err == nil && string(old) == string(made) {
		return // nothing is built anew for it
	}
	if err := os.WriteFile(os.Args[1], made, 0o644); err != nil {
		log.Fatal(err)
	}
}

// record plays every act to a server of its own, so that none sees what the
// others left behind.
func record() ([]byte, error) {
	examples := map[string][]openapi.Example{}
	for _, act := range []func(*recorder) error{
		(*recorder).exports, (*recorder).creationRefusals, (*recorder).fileRefusals, (*recorder).control, (*recorder).controlRefusals,
	} {
		credentials := mockserver.DemoCredentials()
		credentials.Companies = append(credentials.Companies, small)
		server, err := mockserver.New(mockserver.Options{
			Credentials: credentials, Profiles: 1000, Progress: "now", PublicURL: pages.DocumentBase,
			Now: func() time.Time { return exampleNow }, Random: rand.NewChaCha8([32]byte{1}),
		})
		if err != nil {
			return nil, err
		}
		defer server.Close()
		r := &recorder{server: server, examples: examples}
		if err := r.readDocument(); err != nil {
			return nil, err
		}
		if err := act(r); err != nil {
			return nil, err
		}
	}
	return encode(examples)
}

// encode writes an example per line.
func encode(examples map[string][]openapi.Example) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	out.WriteString("{")
	for i, place := range slices.Sorted(maps.Keys(examples)) {
		if i > 0 {
			out.WriteString(",")
		}
		fmt.Fprintf(&out, "\n%q: [", place)
		kept := examples[place]
		if strings.Contains(place, "Error ") {
			slices.SortFunc(kept, func(a, b openapi.Example) int { return strings.Compare(a.Name, b.Name) })
		}
		for j, example := range kept {
			if j > 0 {
				out.WriteString(",")
			}
			out.WriteString("\n  ")
			if err := encoder.Encode(example); err != nil {
				return nil, fmt.Errorf("%s: %w", place, err)
			}
			out.Truncate(out.Len() - 1) // the line break
		}
		out.WriteString("\n]")
	}
	out.WriteString("\n}\n")
	return out.Bytes(), nil
}
