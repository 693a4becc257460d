package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// send is the one place that writes responses.
func (s *Service) send(w http.ResponseWriter, x *exchange, answer response) {
	r := x.Request
	extendDeadline(w)
	headers := w.Header()
	contentType := answer.contentType
	if contentType == "" {
		contentType = mediaTypeJSON
	}
	x.values = [4]string{contentType, "nosniff", "no-store"}
	headers["Content-Type"], headers["X-Content-Type-Options"], headers["Cache-Control"] = x.values[0:1:1], x.values[1:2:2], x.values[2:3:3]
	headers[requestIDHeader] = x.id[:]
	for name, value := range answer.headers {
		headers.Set(name, value)
	}
	if answer.content != nil {
		if refused := s.sendContent(w, x, answer); refused != nil {
			for name := range answer.headers {
				headers.Del(name)
			}
			for _, name := range []string{"Last-Modified", "Accept-Ranges", "Content-Encoding"} {
				headers.Del(name)
			}
			s.send(w, x, s.refusal(x, refused))
		}
		return
	}
	if answer.stream != nil {
		s.decided(x, answer, answer.status, 0, true)
		w.WriteHeader(answer.status)
		if r.Method != http.MethodHead {
			answer.stream(w)
		}
		s.end(x, 0, false)
		return
	}
	if answer.status == http.StatusNoContent {
		headers.Del("Content-Type")
	} else {
		x.values[3] = strconv.Itoa(len(answer.body))
		headers["Content-Length"] = x.values[3:4:4]
	}
	s.decided(x, answer, answer.status, int64(len(answer.body)), false)
	w.WriteHeader(answer.status)
	if r.Method != http.MethodHead {
		// A client that has gone away is nobody's error.
		_, _ = w.Write(answer.body)
	}
}

// unexpected is what a client is told of an error that is not its fault.
func unexpected(err error) *Error {
	switch {
	case errors.Is(err, store.ErrFull):
		return refuse(ServerError, "the state of the server cannot grow, because its disk is full; nothing was changed, and nothing is lost: make room and send the request again")
	case errors.Is(err, store.ErrAway):
		return refuse(ServerError, "the database of the server does not answer; send the request again when it does; the reason is in the log of the server")
	}
	return refuse(ServerError, "an unexpected error happened; its cause is in the log of the server")
}

// refusal turns an error into a response in the shape of the interface that was
// asked, or as problem details. Whatever is not an *Error is logged and hidden.
func (s *Service) refusal(x *exchange, err error) response {
	var refused *Error
	if !errors.As(err, &refused) {
		if x.Context().Err() == nil {
			s.logger.Error("request failed", "request_id", x.id[0], "method", x.Method, "path", x.URL.Path, "error", err)
		}
		refused = unexpected(err)
	}
	table, native := s.tables[interfaceLegacy], legacyBody
	if s.interfaceOf(x.URL.EscapedPath()) == interfaceProfiles {
		table, native = s.tables[interfaceProfiles], profilesBody
	}
	branch, known := table[refused.Name]
	if !known { // an error name outside the schema is a fault of this program
		s.logger.Error("error name without a schema branch", "name", refused.Name)
		branch = table[ServerError]
	}
	answer := response{status: branch.Status, headers: refused.headers,
		refused: &journal.Refusal{Name: branch.Name, Code: branch.Code, Message: refused.Message, Forced: refused.forced}}
	if wantsProblem(x.Header) {
		answer.contentType = mediaTypeProblem
		native = problemBody
	}
	answer.body = native(branch, refused)
	if refused.RetryAfter > 0 {
		answer.headers = cloned(answer.headers)
		answer.headers["Retry-After"] = strconv.Itoa(wholeSeconds(refused.RetryAfter))
	}
	return answer
}

func cloned(headers map[string]string) map[string]string {
	copied := map[string]string{}
	for name, value := range headers {
		copied[name] = value
	}
	return copied
}

func wholeSeconds(duration time.Duration) int {
	return int(math.Ceil(duration.Seconds()))
}

func legacyBody(branch schemas.ErrorBranch, refused *Error) []byte {
	return mustJSON(struct {
		Code    int               `json:"code"`
		Type    string            `json:"type"`
		Message string            `json:"message"`
		Errors  []schemas.Problem `json:"errors,omitempty"`
	}{branch.Code, branch.Name, refused.Message, refused.Problems})
}

func profilesBody(branch schemas.ErrorBranch, refused *Error) []byte {
	return mustJSON(struct {
		Code    string            `json:"error_code"`
		Message string            `json:"error_message"`
		Errors  []schemas.Problem `json:"errors,omitempty"`
	}{branch.Name, refused.Message, refused.Problems})
}

// problemBody writes RFC 9457 problem details. The type is an identifier, not
// a page; the native code and name ride along as extension members.
func problemBody(branch schemas.ErrorBranch, refused *Error) []byte {
	words := strings.ToLower(strings.ReplaceAll(branch.Name, "_", " "))
	return mustJSON(struct {
		Type   string            `json:"type"`
		Title  string            `json:"title"`
		Status int               `json:"status"`
		Detail string            `json:"detail"`
		Name   string            `json:"name"`
		Code   int               `json:"code,omitempty"`
		Errors []schemas.Problem `json:"errors,omitempty"`
	}{
		Type:   "https://rehearsal.example/problems/" + strings.ReplaceAll(words, " ", "-"),
		Title:  strings.ToUpper(words[:1]) + words[1:],
		Status: branch.Status, Detail: refused.Message,
		Name: branch.Name, Code: branch.Code, Errors: refused.Problems,
	})
}

// mustJSON encodes values of this package's own types, which cannot fail.
func mustJSON(value any) []byte {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Sprintf("encoding a response: %v", err))
	}
	return buffer.Bytes()
}

// answerSafely runs a handler and turns a panic into an error, so that one bad
// request cannot take the program down.
func (s *Service) answerSafely(r *request) (answer response, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			s.logger.Error("handler panicked", "request_id", r.id[0], "route", r.route.Name, "path", r.URL.Path,
				"panic", cause, "stack", string(debug.Stack()))
			err = refuse(ServerError, "an unexpected error happened; its cause is in the log of the server")
		}
	}()
	return s.answer(r)
}
