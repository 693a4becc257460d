package proxy

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pattern"
)

// elsewhere begins paths that stand for links to other hosts than the service:
// /_elsewhere/https/HOST/PATH.
const elsewhere = "/_elsewhere/"

// mostLinks is how large an answer with links may be for them to be rewritten.
const mostLinks = 4 << 20

// target is the address that a request is for. Other hosts are reached only
// when a link has named them: this is no open proxy.
func (p *Proxy) target(r *http.Request) (*url.URL, bool) {
	target := *r.URL
	target.Scheme, target.Host, target.User = p.options.Upstream.Scheme, p.options.Upstream.Host, nil
	if rest, is := strings.CutPrefix(r.URL.EscapedPath(), elsewhere); is && p.options.Links != nil {
		scheme, rest, _ := strings.Cut(rest, "/")
		host, path, _ := strings.Cut(rest, "/")
		if _, seen := p.hosts.Load(scheme + "://" + host); !seen {
			return nil, false
		}
		away, err := url.Parse(scheme + "://" + host + "/" + path)
		if err != nil {
			return nil, false
		}
		away.RawQuery, away.ForceQuery = r.URL.RawQuery, r.URL.ForceQuery
		return away, true
	}
	if base := strings.TrimSuffix(p.options.Upstream.Path, "/"); base != "" {
		target.Path, target.RawPath = base+target.Path, ""
		if escaped := r.URL.EscapedPath(); escaped != r.URL.Path {
			target.RawPath = base + escaped
		}
	}
	return &target, true
}

var linkText = pattern.Of(`"https?:(?:\\?/){2}(?:[^"\\]|\\.)*"`)

// rewriteLinks lets the links of an answer lead through the proxy, so that the
// files are seen as well. Everything else of it stays as it was.
func (p *Proxy) rewriteLinks(x *running, response *http.Response) error {
	base := p.base(response.Request)
	if location := response.Header.Get("Location"); location != "" {
		if led := p.through(base, location); led != location {
			response.Header.Set("Location", led)
		}
	}
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
	changed := linkText().ReplaceAllFunc(body, func(quoted []byte) []byte {
		var link string
		if json.Unmarshal(quoted, &link) != nil {
			return quoted
		}
		led := p.through(base, link)
		if led == link {
			return quoted
		}
		return append(append([]byte{'"'}, led...), '"')
	})
	response.Body = joined{bytes.NewReader(changed), rest}
	if response.ContentLength >= 0 {
		response.ContentLength = int64(len(changed))
		response.Header.Set("Content-Length", strconv.Itoa(len(changed)))
	}
	return nil
}

// base is the address under which the client reached the proxy.
func (p *Proxy) base(out *http.Request) string { return of(out).exchange.To.Reached }

// through is the address of a link by way of the proxy.
func (p *Proxy) through(base, link string) string {
	address, err := url.Parse(link)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return link
	}
	_, behind, _ := strings.Cut(link, "://")
	path := ""
	if at := strings.IndexAny(behind, "/?"); at >= 0 {
		path = behind[at:]
	}
	if address.Scheme == p.options.Upstream.Scheme && address.Host == p.options.Upstream.Host {
		return base + strings.TrimPrefix(path, strings.TrimSuffix(p.options.Upstream.EscapedPath(), "/"))
	}
	if base == address.Scheme+"://"+address.Host {
		return link
	}
	p.hosts.Store(address.Scheme+"://"+address.Host, true)
	return base + elsewhere + address.Scheme + "/" + address.Host + path
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
