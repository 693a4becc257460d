package proxy

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
)

// mostLinks is how large an answer with links may be for them to be rewritten.
const mostLinks = 4 << 20

// target is the address that a request is for: of the service, or of another origin.
func (p *Proxy) target(r *http.Request, away *origin) *url.URL {
	target := *r.URL
	to := p.options.Upstream
	if away != nil {
		to = away.to
	}
	target.Scheme, target.Host, target.User = to.Scheme, to.Host, nil
	if base := strings.TrimSuffix(to.Path, "/"); base != "" {
		target.Path, target.RawPath = base+target.Path, ""
		if escaped := r.URL.EscapedPath(); escaped != r.URL.Path {
			target.RawPath = base + escaped
		}
	}
	return &target
}

// rewriteLinks lets the links of an answer lead through the proxy, so that the
// files are seen as well. Everything else of it stays as it was.
func (p *Proxy) rewriteLinks(x *running, response *http.Response) error {
	if !p.options.Links(x.exchange.To.Method, x.exchange.To.Path) || response.Header.Get("Content-Encoding") != "" ||
		response.ContentLength > mostLinks {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, mostLinks+1))
	rest := response.Body
	if err != nil || len(body) > mostLinks {
		response.Body = joined{io.MultiReader(bytes.NewReader(body), failing{err}, rest), rest}
		return nil
	}
	changed := drift.ReplaceLinks(body, func(link string) string { return p.through(x, link) })
	response.Body = joined{bytes.NewReader(changed), rest}
	if response.ContentLength >= 0 {
		response.ContentLength = int64(len(changed))
		response.Header.Set("Content-Length", strconv.Itoa(len(changed)))
	}
	return nil
}

// redirect maps a Location without a host, which clients resolve against the address of the proxy: with a token, or a path of the
// service, that is another path. All others are links.
func (p *Proxy) redirect(x *running, header http.Header) {
	location := header.Get("Location")
	to, err := url.Parse(location)
	if err != nil || location == "" {
		return
	}
	led, relative := location, to.Host == ""
	if !to.IsAbs() && (!relative || p.options.TokenPath+p.base() != "") {
		led = x.target.ResolveReference(to).String()
	}
	if relative || p.options.Links != nil {
		led = p.through(x, led)
	}
	if led != location {
		header.Set("Location", led)
	}
}

// base is the path of the service, without a slash at the end.
func (p *Proxy) base() string { return strings.TrimSuffix(p.options.Upstream.EscapedPath(), "/") }

// through is the address of a link by way of the proxy.
func (p *Proxy) through(x *running, link string) string {
	address, err := url.Parse(link)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return link
	}
	_, behind, _ := strings.Cut(link, "://")
	path := ""
	if at := strings.IndexAny(behind, "/?"); at >= 0 {
		path = behind[at:]
	}
	home := x.reached
	if x.origin != nil {
		home = x.origin.home
	}
	if address.Scheme == p.options.Upstream.Scheme && address.Host == p.options.Upstream.Host {
		if behind, within := strings.CutPrefix(path, p.base()); within && strings.IndexAny(behind+"/", "/?#") == 0 {
			return home + behind
		}
		return link // the proxy passes nothing on to it
	}
	if strings.HasPrefix(home+"/", address.Scheme+"://"+address.Host+"/") {
		return link
	}
	if away := p.origin(address.Scheme, address.Host, home); away != nil {
		return away.here + path
	}
	return link
}

// joined reads from one source and closes another.
type joined struct {
	io.Reader
	closer io.Closer
}

func (j joined) Close() error { return j.closer.Close() }

// failing gives an error, if there is one.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}
