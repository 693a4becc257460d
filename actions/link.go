package actions

import "strings"

// executable are the schemes of links that run code or read what is not theirs on a web page. A web host refuses them always.
func executable(scheme string) bool {
	switch scheme {
	case "javascript", "data", "vbscript", "file", "blob":
		return true
	}
	return false
}

// refusesLink is the gate that every link goes through, whatever path it came on. It gives the reason for refusing it, or "".
func (r *Registry) refusesLink(host *Host, url string) string {
	scheme, rest := splitLink(url)
	if host.Platform == PlatformWeb && executable(scheme) {
		return "links with the scheme " + quote(scheme) + " are refused on the web"
	}
	if r.links != nil && !r.links.allow(scheme, rest) {
		return "the allowed links are " + r.links.text()
	}
	return ""
}

// splitLink reads a link as a browser does: control characters and blanks around it are nothing, nor are tabs and line ends
// inside of it; the scheme is ASCII and has no letter case. scheme is "" when there is none.
func splitLink(url string) (scheme, rest string) {
	url = strings.Trim(url, "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\v\f\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f ")
	if strings.ContainsAny(url, "\t\n\r") {
		url = strings.Map(func(r rune) rune {
			if r == '\t' || r == '\n' || r == '\r' {
				return -1
			}
			return r
		}, url)
	}
	for i := 0; i < len(url); i++ {
		c := url[i] | 0x20
		switch {
		case 'a' <= c && c <= 'z':
		case i > 0 && ('0' <= url[i] && url[i] <= '9' || url[i] == '+' || url[i] == '-' || url[i] == '.'):
		case i > 0 && url[i] == ':':
			return strings.ToLower(url[:i]), url[i+1:]
		default:
			return "", url
		}
	}
	return "", url
}

// LinkRules are a list of allowed links. Make one with [ParseLinkRules].
type LinkRules struct {
	entries []linkRule
}

type linkRule struct {
	written string
	scheme  string
	host    string // "" is any
	below   bool   // subdomains of host instead of host itself
	path    string
}

// ParseLinkRules reads a list of allowed links. An entry is one of
//
//	shop:                            every link with this scheme
//	https://example.com              every link to this host
//	https://*.example.com            every link to a host below it
//	https://example.com/offers/      every link to this host whose path begins so
//
// Schemes and hosts have no letter case. An entry with a host means any port and no user name. A link without a scheme, and one
// that cannot be read with certainty, matches nothing: a list refuses what it does not know. An empty list refuses every link. A
// web host refuses the schemes that run code even when they are listed.
func ParseLinkRules(entries ...string) (*LinkRules, error) {
	rules := new(LinkRules)
	for _, entry := range entries {
		scheme, rest := splitLink(entry)
		rule := linkRule{written: entry, scheme: scheme}
		if scheme == "" {
			return nil, linkRuleError(entry, "begins with no scheme")
		}
		if rest != "" {
			after, ok := strings.CutPrefix(rest, "//")
			host, path, _ := strings.Cut(after, "/")
			host, rule.below = strings.CutPrefix(strings.ToLower(host), "*.")
			if !ok || !plainHost(host) {
				return nil, linkRuleError(entry, "has something other than // and a host after the scheme")
			}
			if rule.host = host; path != "" {
				rule.path = "/" + path
			}
		}
		rules.entries = append(rules.entries, rule)
	}
	return rules, nil
}

func linkRuleError(entry, reason string) error {
	return &Error{Code: "invalid_link_rule", Message: "the link rule " + quote(entry) + " " + reason + `: write "scheme:" or "scheme://host/path"`}
}

func (l *LinkRules) allow(scheme, rest string) bool {
	if scheme == "" {
		return false
	}
	for _, rule := range l.entries {
		if rule.scheme == scheme && (rule.host == "" || rule.allows(splitAuthority(scheme, rest))) {
			return true
		}
	}
	return false
}

func (rule linkRule) allows(host, path string) bool {
	if rule.below {
		if !strings.HasSuffix(host, "."+rule.host) {
			return false
		}
	} else if host != rule.host {
		return false
	}
	return rule.path == "" || strings.HasPrefix(path, rule.path) && !strings.Contains(path, "/.") && !strings.Contains(path, "%")
}

// splitAuthority gives a link's host, in lower case and without its port, and its path up to a question mark or number sign.
// The host is "" when it is not certain what it is. In the schemes of the web a backslash is a slash, and their number does not
// matter.
func splitAuthority(scheme, rest string) (host, path string) {
	switch scheme {
	case "http", "https", "ws", "wss", "ftp":
		rest = strings.ReplaceAll(rest, `\`, "/")
		rest = "//" + strings.TrimLeft(rest, "/")
	}
	rest, ok := strings.CutPrefix(rest, "//")
	if !ok {
		return "", ""
	}
	if end := strings.IndexAny(rest, "?#"); end >= 0 {
		rest = rest[:end]
	}
	host, path, _ = strings.Cut(rest, "/")
	host, port, _ := strings.Cut(strings.ToLower(host), ":")
	if !plainHost(host) || strings.Trim(port, "0123456789") != "" {
		return "", ""
	}
	return host, "/" + path
}

// plainHost reports whether a host is written in letters, digits, hyphens, underscores and dots only, so that everybody reads
// it in the same way.
func plainHost(host string) bool {
	return host != "" && strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == ""
}

func (l *LinkRules) text() string {
	if len(l.entries) == 0 {
		return "none"
	}
	written := make([]string, len(l.entries))
	for i, rule := range l.entries {
		written[i] = quote(rule.written)
	}
	return strings.Join(written, ", ")
}
