package httpd

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// ErrorTable is what one error schema says about each name of an error.
type ErrorTable map[string]schemas.ErrorBranch

// ErrorTables are the error tables of the interfaces, by interface.
type ErrorTables map[string]ErrorTable

// ReadErrorTables reads the error schemas of the interfaces and checks that
// every name the server uses is there.
func ReadErrorTables(library *schemas.Library) (ErrorTables, error) {
	tables := ErrorTables{}
	for _, each := range exports.DialectOf(library) {
		table := ErrorTable{}
		for _, branch := range library.ErrorBranches(each.Errors.Schema) {
			table[branch.Name] = branch
		}
		for _, needed := range exports.RefusalNames() {
			if _, ok := table[needed]; !ok {
				return nil, fmt.Errorf("schema %s lacks the error %s, which the server needs", each.Errors.Schema, needed)
			}
		}
		tables[each.Name] = table
	}
	return tables, nil
}

// Of is the table of an interface.
func (t ErrorTables) Of(iface exports.Interface) ErrorTable { return t[iface.Name] }

// CheckScenario refuses a scenario that forces an error which is not in the
// table. place says where the scenario stands.
func (t ErrorTable) CheckScenario(place string, scenario exports.Scenario) error {
	for _, name := range scenario.Errors() {
		if _, known := t[name]; !known {
			return exports.Refuse(exports.MalformedParameter, "%s: error %q is not known; allowed: %s", place, exports.Shorten(name),
				strings.Join(slices.Sorted(maps.Keys(t)), ", "))
		}
	}
	return nil
}

// refusalWithHeaders is a refusal that is answered with further headers.
type refusalWithHeaders struct {
	*exports.Refusal
	headers map[string]string
}

// Unwrap gives errors.As the refusal.
func (r *refusalWithHeaders) Unwrap() error { return r.Refusal }

// WithHeader adds a header to the answer of a refusal.
func WithHeader(refusal *exports.Refusal, name, value string) error {
	return &refusalWithHeaders{refusal, map[string]string{name: value}}
}
