package api

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// validation is the answer of a check.
type validation struct {
	schemas.Summary
	// Complete tells that the whole body was read: false when there were as
	// many faults as may be reported.
	Complete bool            `json:"complete"`
	Found    []schemas.Fault `json:"found"`
}

// controlValidate checks the body, a payload or a whole file of any size,
// against a schema while it is being received. The media type does not matter:
// the schema says whether it is CSV or JSON.
func (s *Service) controlValidate(r *request) (response, error) {
	query, err := readQuery(r.URL.RawQuery, r.route.Query)
	if err != nil {
		return response{}, err
	}
	if _, err := s.library.Resolve(query["schema"]); err != nil {
		return response{}, refuseMember("/schema", "enum", "the query parameter schema: %v", err)
	}
	most, err := number(query, "max_faults")
	if err != nil {
		return response{}, err
	}
	answer := validation{Complete: true, Found: []schemas.Fault{}}
	answer.Summary, err = s.library.CheckFile(query["schema"], r.Body, func(fault schemas.Fault) bool {
		answer.Found = append(answer.Found, fault)
		answer.Complete = len(answer.Found) < most
		return answer.Complete && r.Context().Err() == nil
	})
	if err != nil {
		return response{}, refuse(MalformedJSONBody, "the body could not be read to its end: %v", err)
	}
	if err := r.Context().Err(); err != nil {
		return response{}, fmt.Errorf("checking a body against %s: %w", query["schema"], err)
	}
	// Faults of one row come by their rule.
	slices.SortStableFunc(answer.Found, func(a, b schemas.Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return response{status: http.StatusOK, body: mustJSON(answer)}, nil
}
