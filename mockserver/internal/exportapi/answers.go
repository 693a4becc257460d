package exportapi

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/answers"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// writers write the answers by schema. Writers of the embedded files are compiled on demand, others at the start, which
// an overlay that nothing can follow does not pass.
type writers map[string]func() (*answers.Writer, error)

func (a *API) readAnswers(routes []*httpd.Route) error {
	a.writers = writers{}
	for _, route := range routes {
		files := []string{route.Response}
		for _, export := range route.Exports {
			files = append(files, export.Response)
		}
		for _, file := range slices.DeleteFunc(files, func(file string) bool { return file == "" }) {
			a.writers[file] = sync.OnceValues(func() (*answers.Writer, error) { return a.writer(file, route.Interface, route.Stage) })
		}
	}
	if builtIn, err := schemas.Embedded(); a.Library == builtIn {
		return err
	}
	if err := a.Library.CheckRoles(); err != nil {
		return err
	}
	for _, lookup := range a.lookups {
		its := &lookup.Interface
		if its.Files.PartSize > 0 && !its.Files.Redirects() && a.Library.MemberOf(lookup.Response, vocabulary.RecordFiles) == "" {
			return &schemas.FileError{File: its.File, Pointer: "/x-interface/files/partSize", Message: "splits files into parts, and " +
				lookup.Response + " does not list them: give a member of it the x-source " + vocabulary.RecordFiles + ", or leave partSize out"}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(a.writers)) {
		if _, err := a.writers[file](); err != nil {
			return err
		}
	}
	return nil
}

// writer is that of an answer. The servers of a library share it.
func (a *API) writer(file string, its exports.Interface, stage exports.Stage) (*answers.Writer, error) {
	type key struct{ answer string }
	return schemas.Derived(a.Library, key{file}, func() func() (*answers.Writer, error) {
		return sync.OnceValues(func() (*answers.Writer, error) {
			examples, err := a.examples(its, stage)
			if err != nil {
				return nil, err
			}
			return answers.Compile(a.Library, file, nil, examples)
		})
	})()
}

// answer writes the facts of an export by the schema of an answer.
func (a *API) answer(r *request, file string, known answers.Values) (httpd.Response, error) {
	writer, err := a.writers[file]()
	if err != nil {
		return httpd.Response{}, err
	}
	return httpd.Response{Status: r.Route.Status, Body: writer.Write(known)}, nil
}

// surprised adds a member to an answer that no schema announces, if a scenario asks for that.
func surprised(answer httpd.Response, record *exports.Record) httpd.Response {
	text, isObject := bytes.CutSuffix(answer.Body, []byte("}\n"))
	if isObject && record.File.Faults.Surprises.Has(exports.SurpriseMember) {
		answer.Body = slices.Concat(text, []byte(`,"`+exports.SurpriseName+`":"`+exports.SurpriseName+"\"}\n"))
	}
	return answer
}

// known returns the facts of an export for answers, and the number of files.
func (a *API) known(r *request, record *exports.Record, state exports.State) (answers.Values, int, error) {
	var sizes []int64
	if state.Status == exports.Success && !state.FileExpired && record.Link != exports.LinkNone {
		var err error
		if sizes, err = a.Files.Sizes(r.Context(), record); err != nil {
			return nil, 0, err
		}
	}
	return knownOf(&r.Route.Interface, record, state, a.lookupAddress(r, record), sizes, func(part int) string {
		return a.address(r, record, part)
	}), len(sizes), nil
}

func knownOf(its *exports.Interface, record *exports.Record, state exports.State, lookup string, sizes []int64,
	address func(part int) string) answers.Values {
	known := answers.Values{
		vocabulary.RecordID: record.ID, vocabulary.RecordURI: record.URI, vocabulary.RecordKind: record.Kind,
		vocabulary.RecordStatus: state.Name, vocabulary.RecordRequestedAt: record.CreatedAt, vocabulary.RecordRequest: record.Request,
		vocabulary.RecordLookup: lookup,
	}
	if record.File.Faults.Surprises.Has(exports.SurpriseStatus) && !state.Status.Final() {
		known[vocabulary.RecordStatus] = exports.SurpriseStatusName
	}
	if state.StartedAt != nil {
		known[vocabulary.RecordStartedAt] = *state.StartedAt
	}
	if state.CompletedAt != nil {
		known[vocabulary.RecordCompletedAt] = *state.CompletedAt
	}
	if state.ErrorMessage != "" {
		known[vocabulary.RecordError] = state.ErrorMessage
	}
	var files []answers.Values
	for i, size := range sizes {
		files = append(files, fileOf(its, record, i+1, size, address(i+1)))
	}
	if files != nil {
		known[vocabulary.RecordFiles], known[vocabulary.RecordLink] = files, files[0][vocabulary.FileURL]
	}
	return known
}

// fileOf returns the facts of a part of a file.
func fileOf(its *exports.Interface, record *exports.Record, part int, size int64, address string) answers.Values {
	id := record.ID
	if its.Identifiers.File != "" {
		id = its.Identifiers.FileOf(record.ID, part)
	}
	return answers.Values{vocabulary.RecordID: record.ID, vocabulary.FileID: id, vocabulary.FilePart: int64(part), vocabulary.FileSize: size,
		vocabulary.FileURL: address}
}

// examples returns facts of exports of the kinds of an interface, in each state. Kinds that an overlay adds to the specification are left
// out: the API document, generate and check use a kind before the record allows the path. Of the embedded files one kind will do.
func (a *API) examples(its exports.Interface, stage exports.Stage) ([]answers.Values, error) {
	var records, files []answers.Values
	specified, err := schemas.Embedded()
	if err != nil {
		return nil, err
	}
	kinds := slices.DeleteFunc(a.Library.Exports(), func(e schemas.Export) bool { return e.Interface != its.Name })
	isSpecified := func(e schemas.Export) bool {
		return slices.ContainsFunc(specified.Exports(), func(s schemas.Export) bool { return s.Kind == e.Kind })
	}
	if slices.ContainsFunc(kinds, isSpecified) {
		kinds = slices.DeleteFunc(kinds, func(e schemas.Export) bool { return !isSpecified(e) })
	}
	if a.Library == specified {
		kinds = kinds[:1]
	}
	for _, export := range kinds {
		of, err := a.exampleRecords(its, export)
		if err != nil {
			return nil, err
		}
		records = append(records, of...)
	}
	for _, record := range records {
		if of, done := record[vocabulary.RecordFiles].([]answers.Values); done {
			files = append(files, of...)
		}
	}
	switch stage {
	case exports.StageDownload:
		return files, nil
	case exports.StageList:
		return []answers.Values{
			{vocabulary.PageRecords: []answers.Values{}, vocabulary.PageCount: int64(0), vocabulary.PageHasMore: false},
			{vocabulary.PageRecords: records, vocabulary.PageCount: int64(len(records)), vocabulary.PageHasMore: true,
				vocabulary.PageNext: records[0][vocabulary.RecordID]},
		}, nil
	}
	return records, nil
}

// exampleRecords returns facts of an export of a kind, in each state.
func (a *API) exampleRecords(its exports.Interface, export schemas.Export) (known []answers.Values, err error) {
	at := time.Date(2026, 1, 31, 8, 30, 0, 0, time.UTC)
	record := &exports.Record{Kind: export.Kind, CreatedAt: at, URI: strings.NewReplacer("{", "", "}", "").Replace(export.Path)}
	if record.ID, err = newID(its.Identifiers, at, strings.NewReader("0123456789")); err != nil {
		return nil, err
	}
	request, err := exports.TemplateOf(a.Library, export).Short(at)
	if err != nil {
		return nil, fmt.Errorf("an example of %s: %w", export.Request, err)
	}
	record.Request = []byte(request)
	ended := func(status exports.Status) exports.State {
		return exports.State{Status: status, StartedAt: &at, CompletedAt: &at}
	}
	done, expired, failed := ended(exports.Success), ended(exports.Success), ended(exports.Failed)
	expired.FileExpired, failed.ErrorMessage = true, "the export failed"
	explained := failed
	explained.ErrorMessage = answers.LongMessage()
	states := []exports.State{{Status: exports.Created}, done, expired, failed, explained}
	for stage := range its.States.Stages() {
		states = append(states, exports.State{Status: exports.Pending, Stage: stage, StartedAt: &at})
	}
	address := func(int) string { return "http://localhost:8080/files/example" }
	for _, state := range states {
		state.Name = its.States.Of(state)
		var sizes []int64
		if state.Status == exports.Success && !state.FileExpired {
			sizes = []int64{1}
		}
		known = append(known, knownOf(&its, record, state, address(0), sizes, address))
	}
	return known, nil
}
