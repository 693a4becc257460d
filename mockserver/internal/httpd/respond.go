package httpd

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"maps"
	"math"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
)

// send is the one place that writes responses.
func (s *Server) send(w http.ResponseWriter, r *Request, answer Response) {
	r.drain()
	ExtendDeadline(w)
	headers := w.Header()
	contentType := answer.ContentType
	if contentType == "" {
		contentType = MediaTypeJSON
	}
	for name, value := range map[string]string{
		"Content-Type": contentType, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", requestIDHeader: r.trace.id,
	} {
		headers.Set(name, value)
	}
	if r.Route != nil && r.Route.Stage != "" {
		for name, value := range r.Route.InterfaceFor(r.Variables).Headers.Answers {
			headers.Set(name, value)
		}
	}
	if answer.Location != "" {
		headers.Set("Location", answer.Location)
	}
	for name, value := range answer.Headers {
		headers.Set(name, value)
	}
	if answer.Content != nil {
		if refused := s.sendContent(w, r, answer); refused != nil {
			for name := range answer.Headers {
				headers.Del(name)
			}
			for _, name := range []string{"Last-Modified", "Accept-Ranges", "Content-Encoding"} {
				headers.Del(name)
			}
			s.send(w, r, s.refusal(r, refused))
		}
		return
	}
	if answer.Stream != nil {
		s.recordStart(r, answer, answer.Status, 0, true)
		w.WriteHeader(answer.Status)
		if r.Method != http.MethodHead {
			answer.Stream(w)
		}
		s.recordEnd(r, 0, false)
		return
	}
	if answer.Status == http.StatusNoContent {
		headers.Del("Content-Type")
	} else {
		headers.Set("Content-Length", strconv.Itoa(len(answer.Body)))
	}
	s.recordStart(r, answer, answer.Status, int64(len(answer.Body)), false)
	w.WriteHeader(answer.Status)
	if r.Method != http.MethodHead {
		// A client that has gone away is nobody's error.
		_, _ = w.Write(answer.Body)
	}
}

// refusal turns an error into a response in the shape of the interface that was asked. Whatever is not a refusal is logged and hidden.
func (s *Server) refusal(r *Request, err error) Response {
	var refused *exports.Refusal
	if !errors.As(err, &refused) {
		refused = s.failure(r, err)
	}
	iface := s.interfaceFor(r)
	table := s.Errors.Of(iface)
	branch, known := table[refused.Name]
	if !known { // an error name outside the schema is a fault of this program
		s.Logger.Error("error name without a schema branch", "request_id", r.trace.id, "name", refused.Name)
		branch = table[exports.ServerError]
	}
	if refused.Forced && branch.Status >= http.StatusInternalServerError {
		s.Logger.Info("request failed, as a scenario asks", "request_id", r.trace.id, "method", r.Method, "path", r.path(), "status",
			branch.Status, "error", branch.Name)
	}
	answer := Response{Status: branch.Status, Headers: map[string]string{}, Body: branch.Body(refused),
		refused: &journal.Refusal{Name: branch.Name, Code: branch.Code, Message: refused.Message, Forced: refused.Forced}}
	var decorated *refusalWithHeaders
	if errors.As(err, &decorated) {
		maps.Copy(answer.Headers, decorated.headers)
		if decorated.xml {
			answer.ContentType, answer.Body = "application/xml", errorXML(branch.Name, refused.Message)
		}
	}
	if refused.RetryAfter > 0 {
		answer.retryAfter = WholeSeconds(refused.RetryAfter)
		answer.Headers[iface.Headers.RetryAfter] = strconv.Itoa(answer.retryAfter)
		if refused.Retry != (exports.RetryAfter{}) {
			answer.Headers[iface.Headers.RetryAfter] = refused.Retry.Header(s.Now())
			// A client that obeys is not blamed: a date has no fraction of a second.
			answer.retryAfter = int(refused.RetryAfter.Seconds())
			if refused.Retry.Form == exports.RetryDate {
				answer.retryAfter--
			}
		}
	}
	return answer
}

// errorXML is a refusal as object stores write it.
func errorXML(code, message string) []byte {
	var text bytes.Buffer
	text.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n<Error><Code>" + code + "</Code><Message>")
	_ = xml.EscapeText(&text, []byte(message)) // a buffer takes everything
	text.WriteString("</Message></Error>\n")
	return text.Bytes()
}

// failure is what a client is told of an error that no handler foresaw. What is not the client's own doing has a line in the log.
func (s *Server) failure(r *Request, err error) *exports.Refusal {
	refused := s.Explain(err)
	if refused == nil {
		if left := r.brokenOff(); left != nil {
			s.Logger.Debug("request broken off", "request_id", r.trace.id, "method", r.Method, "path", r.path(), "error", err)
			return left
		}
		refused = exports.Refuse(exports.ServerError, "an unexpected error happened; its cause is in the log of the server")
	}
	if refused.Name == exports.MalformedParameter { // a budget for what clients send
		return refused
	}
	log, message := s.Logger.Error, "request failed"
	switch {
	case errors.As(err, new(*budget.ExceededError)), errors.Is(err, budget.ErrDeadline): // the server does what it was told
		log, message = s.outages.Warn, "request refused"
	case refused.Name == exports.MaintenanceError:
		log = s.outages.Error
	}
	log(message, "request_id", r.trace.id, "method", r.Method, "path", r.path(), "error", err)
	return refused
}

// WholeSeconds rounds a duration up to seconds, as Retry-After tells it.
func WholeSeconds(duration time.Duration) int {
	return int(math.Ceil(duration.Seconds()))
}

// answerSafely runs a handler and turns a panic into an error, so that one bad request cannot take the program down.
func (s *Server) answerSafely(r *Request) (answer Response, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			s.Logger.Error("handler panicked", "request_id", r.trace.id, "route", r.Route.Name, "path", r.path(),
				"panic", cause, "stack", string(debug.Stack()))
			err = exports.Refuse(exports.ServerError, "an unexpected error happened; its cause is in the log of the server")
		}
	}()
	if s.Admit != nil {
		if err := s.Admit(r.Request, r.Route); err != nil {
			return Response{}, err
		}
	}
	answer, err = r.Route.Handle(r)
	if s.Ended != nil {
		s.Ended(cmp.Or(string(r.Route.Stage), r.Route.Name), err)
	}
	return answer, err
}
