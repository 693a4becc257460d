package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// Options say what stands behind the proxy, and who is told.
type Options struct {
	Upstream  *url.URL
	Transport http.RoundTripper
	// TokenPath is the last part of the addresses of the proxy; see package auth.
	TokenPath string
	// Foreign are the origins that links and redirects lead to, beside the service.
	Foreign Foreign
	// Directory is where temporary copies of large bodies are made, MostBody how large a copy may be.
	Directory string
	MostBody  int64
	// Observe is told of each exchange once it has ended, one after another, but for those of browsers that ask what a page may
	// send. It owns the bodies.
	Observe func(*drift.Exchange)
	// Links tells whether the answer to a request lists links to files. They are made to lead through the proxy; nil leaves them alone.
	Links func(method, path string) bool
	Now   func() time.Time
	Log   *slog.Logger
}

// Proxy is an http.Handler.
type Proxy struct {
	options Options
	reverse httputil.ReverseProxy
	foreign foreign
	number  atomic.Uint64
	queue   chan *running
	drained chan struct{}
}

// waiting is how many exchanges may wait to be observed; then requests wait.
const waiting = 1024

// New makes a proxy. Close it once, when no request is to be observed any more.
func New(options Options) *Proxy {
	p := &Proxy{options: options, queue: make(chan *running, waiting), drained: make(chan struct{})}
	p.reverse = httputil.ReverseProxy{
		Rewrite: p.rewrite, Transport: options.Transport, FlushInterval: -1,
		ModifyResponse: p.answered, ErrorHandler: p.failed,
		ErrorLog: log.New(io.Discard, "", 0), // what breaks off is in the exchange
	}
	go func() {
		defer close(p.drained)
		for x := <-p.queue; x != nil; x = <-p.queue {
			p.observe(&x.exchange)
		}
	}()
	return p
}

// observe passes exchanges of the client to the observer.
func (p *Proxy) observe(x *drift.Exchange) {
	if httpd.IsPreflight(&http.Request{Method: x.To.Method, Header: x.Sent.Header}) {
		x.Sent.Body.Discard()
		x.Received.Body.Discard()
		return
	}
	p.options.Observe(x)
}

// Close waits until everything that has passed was observed. A request that still runs then ends unobserved.
func (p *Proxy) Close() {
	p.queue <- nil // a closed channel would panic where a request ends late
	<-p.drained
}

// Transport is how a proxy asks a service: without compression of its own, and with connections enough for many clients.
func Transport(base *http.Transport) *http.Transport {
	base.DisableCompression = true
	base.MaxIdleConns, base.MaxIdleConnsPerHost = 512, 256
	base.IdleConnTimeout = 90 * time.Second
	base.ForceAttemptHTTP2 = true
	base.ExpectContinueTimeout = 10 * time.Second
	base.DialContext = (&net.Dialer{Timeout: 30 * time.Second}).DialContext
	return base
}

// running is one exchange under way.
type running struct {
	exchange        drift.Exchange
	target          *url.URL
	reached         string  // the address by which the client came, without a slash at the end
	origin          *origin // nil: it is the service
	sent, received  *tee
	request, answer spool
	told            sync.Once
}

type runningKey struct{}

func of(r *http.Request) *running { return r.Context().Value(runningKey{}).(*running) }

// ServeHTTP passes a request on to the service, and the answer back.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.pass(w, r, nil) }

// pass passes a request on to the service, or to another origin.
func (p *Proxy) pass(w http.ResponseWriter, r *http.Request, to *origin) {
	if r.Method == http.MethodConnect { // See docs/decisions/tools.md#why-does-the-proxy-make-no-tunnels
		http.Error(w,
			"mockserver proxy: it makes no tunnels, in which it would see nothing; let the client use the address of the proxy in the place of the "+
				"service's, instead of HTTPS_PROXY", http.StatusNotImplemented)
		return
	}
	x := &running{request: spool{directory: p.options.Directory, most: p.options.MostBody},
		answer: spool{directory: p.options.Directory, most: p.options.MostBody}}
	x.exchange.Number, x.exchange.Began = p.number.Add(1), p.options.Now()
	target := p.target(r, to)
	x.target, x.origin, x.reached = target, to, httpd.BaseURL(r, "")+p.options.TokenPath
	x.exchange.To = drift.Target{Method: r.Method, Path: target.EscapedPath(), Query: target.RawQuery,
		Origin: target.Scheme + "://" + target.Host, SameHost: p.options.Links != nil && (x.origin == nil || x.origin.sameHost)}
	x.exchange.Sent.Header = r.Header.Clone()
	r = r.WithContext(context.WithValue(r.Context(), runningKey{}, x))
	if r.Body != nil && r.Body != http.NoBody {
		x.sent = &tee{ReadCloser: r.Body, into: &x.request}
		r.Body = x.sent
	}
	defer p.tell(x) // if it was broken off, or answered before it had passed
	p.reverse.ServeHTTP(&plainWriter{ResponseWriter: w}, r)
}

// last tells of an exchange before the client has the whole answer, and can ask for what it names.
func (p *Proxy) last(x *running) {
	if x.sent == nil || x.sent.ended.Load() {
		p.tell(x)
	}
}

// tell hands an exchange to the observer, once.
func (p *Proxy) tell(x *running) {
	x.told.Do(func() {
		e := &x.exchange
		e.Ended, e.Sent.Body, e.Received.Body = p.options.Now(), &x.request, &x.answer
		switch {
		case e.Fault != "" || x.received == nil:
		case x.received.err != nil && !errors.Is(x.received.err, context.Canceled):
			e.Fault, e.Broken = "the service broke the answer off", true
		case !x.received.ended.Load() && e.To.Method != http.MethodHead:
			e.Broken = true // the client left
		}
		p.queue <- x
	})
}

// rewrite makes the request for the service out of that of the client.
func (p *Proxy) rewrite(r *httputil.ProxyRequest) {
	target := of(r.In).target
	r.Out.URL.Scheme, r.Out.URL.Host = target.Scheme, target.Host
	r.Out.URL.Path, r.Out.URL.RawPath = target.Path, target.RawPath
	r.Out.URL.RawQuery, r.Out.URL.ForceQuery = target.RawQuery, target.ForceQuery
	r.Out.Host = ""
	r.Out.Trailer = r.In.Trailer
	if of(r.In).origin != nil {
		p.options.Foreign.withoutCredentials(r.Out.Header)
	} else if token := p.options.TokenPath; token != "" && strings.Contains(strings.Join(r.Out.Header["Referer"], " "), token) {
		r.Out.Header.Del("Referer") // the address of a page has the token
	}
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if values, sent := r.In.Header[name]; sent {
			r.Out.Header[name] = values
		}
	}
}

// answered notes the head of an answer, and copies its body as it passes.
func (p *Proxy) answered(response *http.Response) error {
	x := of(response.Request)
	x.exchange.Answered = p.options.Now()
	x.exchange.Status, x.exchange.Received.Header = response.StatusCode, response.Header.Clone()
	if x.origin != nil {
		response.Header.Del("Set-Cookie") // to a client that goes by the host alone, it would be one of the service
	}
	if response.StatusCode == http.StatusSwitchingProtocols {
		return nil
	}
	x.received = &tee{ReadCloser: response.Body, into: &x.answer, left: response.ContentLength, last: func() { p.last(x) }}
	response.Body = x.received
	stays := false
	if saysAll(response) {
		read := readAhead(x.received)
		response.Body, stays = read, read.stays()
	}
	p.redirect(x, response.Header)
	if p.options.Links != nil && !stays {
		return p.rewriteLinks(x, response)
	}
	return nil
}

// saysAll tells whether the head of an answer is all that a client waits for before it goes on. Trailers would change it beside those who
// pass it on.
func saysAll(response *http.Response) bool {
	isEmpty := response.StatusCode == http.StatusNoContent || response.ContentLength == 0 || response.Request.Method == http.MethodHead
	return len(response.Trailer) == 0 && (isEmpty || response.StatusCode >= http.StatusMultipleChoices)
}

// failed answers when the service did not.
func (p *Proxy) failed(w http.ResponseWriter, r *http.Request, err error) {
	x := of(r)
	if errors.Is(err, context.Canceled) {
		x.exchange.Fault, x.exchange.Broken = "the client left before the answer", true
	} else {
		x.exchange.Fault = "the service did not answer: " + reason(err)
		p.options.Log.Warn("the service did not answer", "method", x.exchange.To.Method, "error", reason(err))
	}
	p.last(x)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusBadGateway)
	fmt.Fprintln(w, "mockserver proxy: the service did not answer: "+reason(err))
}

// reason is an error without the address, which may carry a secret.
func reason(err error) string {
	var located *url.Error
	if errors.As(err, &located) {
		err = located.Err
	}
	return err.Error()
}

// plainWriter keeps the server from adding what the service did not send.
type plainWriter struct {
	http.ResponseWriter
	begun bool
}

func (w *plainWriter) WriteHeader(status int) {
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		w.plain()
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *plainWriter) plain() {
	if w.begun {
		return
	}
	w.begun = true
	for _, name := range []string{"Date", "Content-Type"} {
		if _, sent := w.Header()[name]; !sent {
			w.Header()[name] = nil // else the server makes one up
		}
	}
}

func (w *plainWriter) Write(data []byte) (int, error) {
	w.plain()
	return w.ResponseWriter.Write(data)
}

// Unwrap lets the reverse proxy flush and take the connection over.
func (w *plainWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
