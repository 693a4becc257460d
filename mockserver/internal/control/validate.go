package control

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
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

// validate checks the body, a payload or a whole file of any size,
// against a schema while it is being received. The media type does not matter:
// the schema says whether it is CSV or JSON.
func (a *API) validate(r *httpd.Request) (httpd.Response, error) {
	if _, err := a.Library.Resolve(r.Query["schema"]); err != nil {
		return httpd.Response{}, exports.RefuseMember("/schema", "enum", "the query parameter schema: %v", err)
	}
	most, err := httpd.Number(r.Query, "max_faults")
	if err != nil {
		return httpd.Response{}, err
	}
	limited, cancel := a.Budgets.Deadline(r.Context())
	defer cancel()
	answer := validation{Complete: true, Found: []schemas.Fault{}}
	answer.Summary, err = a.Library.CheckFile(r.Query["schema"], httpd.ReadWithin(limited, r.Body), func(fault schemas.Fault) bool {
		answer.Found = append(answer.Found, fault)
		answer.Complete = len(answer.Found) < most
		return answer.Complete && limited.Err() == nil
	})
	if limited.Err() != nil {
		return httpd.Response{}, fmt.Errorf("checking a body against %s: %w", r.Query["schema"], context.Cause(limited))
	}
	if err != nil {
		return httpd.Response{}, exports.Refuse(exports.MalformedJSONBody, "the body could not be read to its end: %v", err)
	}
	// Faults of one row come by their rule.
	slices.SortStableFunc(answer.Found, func(a, b schemas.Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return httpd.OK(answer), nil
}
