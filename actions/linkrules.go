package actions

import "strings"

// LinkRules makes a list of allowed links for [Options.RefuseLink]. An entry is one of
//
//	shop:                            every link with this scheme
//	https://example.com              every link to this host
//	https://*.example.com            every link to a host below it
//	https://example.com/offers/      every link to this host whose path begins so
//
// Schemes and hosts have no letter case. An entry with a host means any port and no user name. A link without a scheme, and one
// that cannot be read with certainty, matches nothing: a list refuses what it does not know. No entries refuse every link. A web
// host refuses the schemes that run code even when they are listed.
//
// The error, of the code "invalid_link_rule", names the entry that cannot be read.
func LinkRules(entries ...string) (refuse func(url string) (reason string), err error) {
	var rules []linkRule
	allowed := "none"
	for i, entry := range entries {
		rule, err := parseLinkRule(entry)
		if err != nil {
			return nil, err
		}
		rules = append(rules, rule)
		if i == 0 {
			allowed = say("$", entry)
		} else {
			allowed = say("?, $", allowed, entry)
		}
	}
	return func(url string) string {
		scheme, rest := splitLink(url)
		for _, rule := range rules {
			if rule.scheme == scheme && (rule.host == "" || rule.allows(splitAuthority(scheme, rest))) {
				return ""
			}
		}
		return say("the allowed links are ?", allowed)
	}, nil
}

type linkRule struct {
	scheme string
	host   string // "" is any
	below  bool   // subdomains of host instead of host itself
	path   string
}

func parseLinkRule(entry string) (rule linkRule, err error) {
	scheme, rest := splitLink(entry)
	rule.scheme = scheme
	if rest != "" && scheme != "" {
		after, ok := strings.CutPrefix(rest, "//")
		host, path, _ := strings.Cut(after, "/")
		rule.host, rule.below = strings.CutPrefix(strings.ToLower(host), "*.")
		if path != "" {
			rule.path = "/" + path
		}
		if !ok || !plainHost(rule.host) {
			scheme = ""
		}
	}
	if scheme == "" {
		return rule, &Error{Code: "invalid_link_rule", Message: say(`the link rule $ cannot be read: write "scheme:" or "scheme://host/path"`,
			entry)}
	}
	return rule, nil
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
// The host is "" when it is not certain what it is. In the schemes of the web a backslash is a slash, and two or more
// of them begin the host: a browser reads fewer as a link within the page.
func splitAuthority(scheme, rest string) (host, path string) {
	switch scheme {
	case "http", "https", "ws", "wss", "ftp":
		if rest = strings.ReplaceAll(rest, `\`, "/"); strings.HasPrefix(rest, "//") {
			rest = "//" + strings.TrimLeft(rest, "/")
		}
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
