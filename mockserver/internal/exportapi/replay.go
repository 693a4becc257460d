package exportapi

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/live"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording"
)

// Replay answers requests as a recording says; nil answers none.
type Replay struct {
	*recording.Replay
	live *live.State
	Replaying
}

// Replaying says how a recording is replayed.
type Replaying struct {
	PublicURL string
	Largest   int64 // of bodies, in bytes
	Strict    bool  // refuses requests without a recorded answer
	Now       func() time.Time
}

// answer is the recorded answer to a request; nil for none.
func (p *Replay) answer(r *httpd.Request) (*httpd.Response, error) {
	asked := recording.Request{Method: r.Method, Path: r.SentPath(), Query: r.URL.RawQuery, Credentials: r.Credentials(), Key: r.Entry.Key}
	if variable := r.Route.Interface.KeyVariable; variable != "" {
		asked.Key = r.Variables[variable]
	}
	if r.Body != nil && r.Body != http.NoBody {
		body, err := httpd.ReadUpTo(r.Request, int(p.Largest))
		if err != nil {
			return nil, err
		}
		asked.Body, r.Body = body, io.NopCloser(bytes.NewReader(body)) // the world may have to read it
	}
	asked.Clock = func(key string) time.Time { return p.live.Clock(key).Now }
	asked.Real = p.Now()
	found := p.Find(&asked)
	if found == nil {
		r.Entry.NotRecorded = r.Redact(p.Nearest(&asked))
		return nil, nil
	}
	r.Now = found.Now
	r.NoteBody(asked.Body)
	its := found.Exchange.Facts
	entry := &r.Entry
	entry.Replayed = found.Exchange.Number
	if found.Key != "" {
		entry.SetKey(r.Redact(found.Key))
	}
	entry.Kind, entry.Export, entry.ExportStatus, entry.Parts, entry.Part, entry.RetryAfter = its.Kind, found.Export(its.Export),
		its.ExportStatus, its.Parts, its.Part, its.RetryAfter
	for _, listed := range its.Listed {
		listed.Export = found.Export(listed.Export)
		entry.Listed = append(entry.Listed, listed)
	}
	if its.Error != nil {
		refused := *its.Error
		entry.Error = &refused
	}
	return p.response(r, found)
}

// response is a recorded answer, at the address and with the key of the client.
func (p *Replay) response(r *httpd.Request, found *recording.Found) (*httpd.Response, error) {
	address := httpd.BaseURL(r.Request, p.PublicURL)
	answer := &httpd.Response{Status: found.Exchange.Status, Headers: map[string]string{}}
	for name, value := range found.Exchange.Headers {
		if name, value = http.CanonicalHeaderKey(name), found.Filled(value, address); recording.Keeps(name, value) {
			answer.Headers[name] = value
		}
	}
	// A recording is somebody else's: no page of it runs a script at the origin of the control API.
	answer.Headers["Content-Security-Policy"] = "sandbox"
	answer.Headers[replayHeader] = strconv.FormatUint(found.Exchange.Number, 10)
	var err error
	if found.Exchange.Answer == nil || found.Exchange.Answer.Digest == "" {
		answer.Body, err = p.Text(found, address)
		return answer, err
	}
	return answer, p.file(r, found, answer)
}

// file answers with a downloaded file, which may have been edited since.
func (p *Replay) file(r *httpd.Request, found *recording.Found, answer *httpd.Response) error {
	file, changed, err := p.File(found.Exchange.Answer)
	if err != nil {
		return err
	}
	if changed {
		for _, name := range []string{"Etag", "Content-Md5", "Digest", "Content-Digest", "Repr-Digest", "Last-Modified"} {
			delete(answer.Headers, name)
		}
	}
	if answer.Headers["Content-Encoding"] == "gzip" && !httpd.AcceptsGzip(r.Header) {
		return unzipped(file, answer)
	}
	reader, size, err := seekable(file)
	if err != nil {
		return err
	}
	modified, _ := http.ParseTime(answer.Headers["Last-Modified"])
	answer.Content = &httpd.Content{Reader: reader, Size: size, Modified: modified}
	return nil
}

// unzipped answers a client that does not take gzip.
func unzipped(file fs.File, answer *httpd.Response) error {
	plain, err := gzip.NewReader(file)
	if err != nil {
		return errors.Join(err, file.Close())
	}
	for _, name := range []string{"Content-Encoding", "Etag", "Accept-Ranges"} {
		delete(answer.Headers, name)
	}
	answer.Stream = func(w http.ResponseWriter) {
		defer file.Close()
		_, _ = io.Copy(w, plain) // a client that has gone away is nobody's error
	}
	return nil
}

func seekable(file fs.File) (io.ReadSeekCloser, int64, error) {
	information, err := file.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	if reader, is := file.(io.ReadSeekCloser); is {
		return reader, information.Size(), nil
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	return struct {
		io.ReadSeeker
		io.Closer
	}{bytes.NewReader(content), io.NopCloser(nil)}, int64(len(content)), err
}

// NewReplay replays a recording; nil is none.
func NewReplay(recorded *recording.Replay, state *live.State, how Replaying) *Replay {
	if recorded == nil {
		return nil
	}
	return &Replay{recorded, state, how}
}

// replayHeader tells where an answer comes from: the number of a recorded exchange, or none for one that the world gave.
const replayHeader = "X-Mock-Replay"

// Before lets the recording answer before routes do, and adds that of its files; nil leaves them as they are.
func (p *Replay) Before(routes []*httpd.Route) []*httpd.Route {
	if p == nil {
		return routes
	}
	routes = append(append(routes, p.route()), p.unlisted(routes)...)
	for _, route := range routes {
		world := route.Handle
		route.Handle = func(r *httpd.Request) (httpd.Response, error) {
			recorded, err := p.answer(r)
			if err != nil {
				return httpd.Response{}, err
			}
			if recorded != nil {
				return *recorded, nil
			}
			if p.Strict {
				return httpd.Response{}, httpd.WithHeader(exports.Refuse(exports.RouteNotFound, "%s; --replay-strict answers recorded requests alone",
					r.Entry.NotRecorded), replayHeader, "none")
			}
			answer, err := world(r)
			if refused, is := err.(*exports.Refusal); is {
				return answer, httpd.WithHeader(refused, replayHeader, "none")
			}
			if err != nil {
				return answer, err
			}
			if answer.Headers == nil {
				answer.Headers = map[string]string{}
			}
			answer.Headers[replayHeader] = "none"
			return answer, nil
		}
	}
	return routes
}

// Forget begins again for a key; empty for all.
func (p *Replay) Forget(key string) {
	if p != nil {
		p.Replay.Forget(key)
	}
}

// unlisted are routes for what was recorded and no schema file lists. A path may name exports and the key of the client.
func (p *Replay) unlisted(listed []*httpd.Route) (made []*httpd.Route) {
	spoken := exports.Dialect{}
	for _, route := range listed {
		if _, known := spoken.Named(route.Interface.Name); !known && route.Interface.Name != "" {
			spoken = append(spoken, route.Interface)
		}
	}
	for i, path := range p.Unlisted() {
		route := &httpd.Route{
			Name: "replay.unlisted." + strconv.Itoa(i+1), Method: path.Method, Path: path.Template, Credential: httpd.Public, Recorded: true,
			Handle: func(r *httpd.Request) (httpd.Response, error) {
				return httpd.Response{}, exports.Refuse(exports.RouteNotFound, "%s", r.Entry.NotRecorded)
			},
			Description: httpd.Description{Group: httpd.Group{Name: "Recorded", Description: "What a recording has beside the export API."},
				Summary: "Sends a recorded answer.", Extension: true},
			Output: httpd.Output{Status: http.StatusOK},
		}
		for _, its := range spoken {
			if strings.HasPrefix(path.Template, "/"+its.Version+"/") && strings.Contains(path.Template, "{key}") {
				route.Interface = its
				route.Path = strings.ReplaceAll(path.Template, "{key}", "{"+its.KeyVariable+"}")
			}
		}
		made = append(made, route)
	}
	return made
}

// route is that of the files of a recording.
func (p *Replay) route() *httpd.Route {
	return &httpd.Route{
		Name: "replay.file", Method: http.MethodGet, Path: recording.FilePath + "{export}/{part}", Credential: httpd.Public,
		Stage: exports.StageFile,
		Handle: func(r *httpd.Request) (httpd.Response, error) {
			return httpd.Response{}, exports.Refuse(exports.RouteNotFound,
				"the recording has no such file: it was not downloaded through the proxy while it recorded")
		},
		Description: httpd.Description{Group: httpd.Group{Name: "Files", Description: "The files of exports, behind signed links."},
			Summary: "Sends a recorded file.", Extension: true},
		Output: httpd.Output{Status: http.StatusOK, Validators: true},
	}
}
