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

var linkText = pattern.Of(`"https?:(?:\\?/){2}(?:[^"\\]|\\.)*"`)

// rewriteLinks lets the links of an answer lead through the proxy, so that the
// files are seen as well. Everything else of it stays as it was.
func (p *Proxy) rewriteLinks(x *running, response *http.Response) error {
	if location := response.Header.Get("Location"); location != "" {
		if led := p.through(x, location); led != location {
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
		led := p.through(x, link)
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
		return home + strings.TrimPrefix(path, strings.TrimSuffix(p.options.Upstream.EscapedPath(), "/"))
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
