package proxy

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
)

// Foreign are origins other than the service's. Each has an address of its own, so that a client withholds the same credentials as
// without a proxy. Credentials that arrive anyway are dropped. See docs/decisions/tools.md#how-does-the-proxy-keep-origins-apart
type Foreign struct {
	// Listen starts a handler at a free port of the host of the proxy, on loopback under both names.
	Listen func(http.Handler) (port string, err error)
	// Credentials are the headers for the service alone, beside Authorization and Cookie.
	Credentials func() []string
}

func (f Foreign) withoutCredentials(header http.Header) {
	for _, name := range append(f.Credentials(), "Authorization", "Proxy-Authorization", "Cookie", "Referer") {
		header.Del(name)
	}
}

// mostOrigins is how many origins get an address: links of more lead where they led.
const mostOrigins = 64

// foreign are the origins that links have named. No other is reached: this is no open proxy.
type foreign struct {
	lock    sync.Mutex
	origins map[string]*origin // by their address, and that of the service
	told    string             // the error that was logged last
}

// origin is one of them.
type origin struct {
	to       *url.URL
	home     string // the address by which the client reaches the service
	here     string // and this origin
	sameHost bool   // as home
}

// origin finds or makes the address of an origin, for a client that reaches the service by home; nil if there is none.
func (p *Proxy) origin(scheme, host, home string) *origin {
	p.foreign.lock.Lock()
	defer p.foreign.lock.Unlock()
	name := scheme + "://" + host + " by " + home
	known := p.foreign.origins[name]
	if known == nil {
		known = &origin{to: &url.URL{Scheme: scheme, Host: host}, home: home}
		if err := p.open(known); err != nil { // the next link tries again
			if told := err.Error(); told != p.foreign.told {
				p.foreign.told = told
				p.options.Log.Warn("links to an origin lead past the proxy", "origin", scheme+"://"+host, "error", err)
			}
			return nil
		}
		if p.foreign.origins == nil {
			p.foreign.origins = map[string]*origin{}
		}
		p.foreign.origins[name] = known
	}
	return known
}

// open listens for an origin. The lock is held.
func (p *Proxy) open(o *origin) error {
	if len(p.foreign.origins) >= mostOrigins {
		return fmt.Errorf("there are more than %d", mostOrigins)
	}
	home, err := url.Parse(o.home)
	if err != nil {
		return err
	}
	port, err := p.options.Foreign.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.pass(w, r, o) }))
	name := otherName(home)
	o.sameHost = name == home.Hostname()
	o.here = home.Scheme + "://" + net.JoinHostPort(name, port) + p.options.TokenPath
	return err
}

// otherName is another name of this machine than the one by which a client has come: some clients tell origins apart by their
// host alone. A certificate may be for one name only.
func otherName(home *url.URL) string {
	name := home.Hostname()
	switch ip := net.ParseIP(name); {
	case home.Scheme != "http":
	case name == "localhost":
		return "127.0.0.1"
	case ip != nil && ip.IsLoopback():
		return "localhost"
	}
	return name
}
