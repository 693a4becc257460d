package api

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// peeked is what scenarios need to know of a payload before it is checked.
type peeked struct {
	done          bool
	kind, segment string
}

// peek looks into the payload of a creation whose path does not say everything:
// the export type and the segment stand in the body. What is wrong with the
// body is not said here.
func (s *Service) peek(r *request) peeked {
	if r.peeked.done || len(r.route.Exports) < 2 {
		return r.peeked
	}
	r.peeked.done = true
	data, err := r.readBody()
	// Nearly no payload is a scenario, and where no rule asks either, there is
	// no reason to decode it twice.
	if err != nil || len(s.rules.current().Rules) == 0 && !bytes.Contains(data, []byte("mock")) {
		return r.peeked
	}
	value, err := decode(data)
	if err != nil {
		return r.peeked
	}
	if export, err := s.library.Choose(r.route.Exports, value); err == nil {
		r.peeked.kind = export.Kind
	}
	if members, is := value.(map[string]any); is {
		r.peeked.segment, _ = Members(members).String("filter", "segment")
	}
	return r.peeked
}

// readBody reads the payload, once.
func (r *request) readBody() ([]byte, error) {
	if !r.payloadRead {
		r.payloadRead = true
		r.payload, r.payloadError = readBody(r.Request)
	}
	return r.payload, r.payloadError
}

// export fetches an export, once for a request.
func (s *Service) export(r *request, id string) (*exports.Record, error) {
	if r.recordID != id || id == "" {
		r.recordID = id
		r.record, r.recordError = s.store.Get(r.Context(), id)
		if r.recordError != nil {
			r.record = nil
			if !errors.Is(r.recordError, store.ErrNotFound) {
				r.recordError = fmt.Errorf("reading export %s: %w", id, r.recordError)
			}
		}
	}
	return r.record, r.recordError
}

// about is the export that a request is about, if it is there and the caller
// may see it; nil otherwise. What is wrong is said by the handler.
func (s *Service) about(r *request) *exports.Record {
	id := s.exportID(r)
	if id == "" {
		return nil
	}
	record, err := s.export(r, id)
	if err != nil || r.route.Credential != SignedLink && !r.sees(record) {
		return nil
	}
	return record
}

// sees tells whether an export exists for the caller.
func (r *request) sees(record *exports.Record) bool {
	return record.Owner == r.caller.owner && record.Interface == r.route.Interface
}

// exportID is the identifier of the export that a request names; empty if it
// names none.
func (s *Service) exportID(r *request) string {
	switch r.route.Stage {
	case exports.StageStatus:
		if r.route.Interface == interfaceLegacy {
			return legacyID(r)
		}
		return r.URL.Query().Get("id")
	case exports.StageDownload:
		id, _, _ := parseFileID(r.URL.Query().Get("id"))
		return id
	case exports.StageFile:
		id, _, _ := parseFileName(r.variables["name"])
		return id
	}
	return ""
}

// legacyID is the identifier of the path of a status lookup: UUIDs compare
// without case.
func legacyID(r *request) string { return strings.ToLower(r.variables["request_id"]) }
