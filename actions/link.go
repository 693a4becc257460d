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

// local are the schemes of links that, in an app, run code or hand out what only the app may read. An app refuses them unless its
// list of allowed links has them.
func local(scheme string) bool { return executable(scheme) || scheme == "content" }

// checkLink is the gate that every link goes through, whatever path it came on.
func checkLink(in *input) {
	url, _ := in.arguments["l"].(string)
	reason := ""
	scheme, _ := splitLink(url)
	switch {
	case in.host.Platform == PlatformWeb && executable(scheme):
		reason = say("links with the scheme $ are refused on the web", scheme)
	case in.registry.refuseLink != nil:
		if url != "" {
			reason = in.registry.refuseLink(url)
		}
	case in.host.Platform != PlatformWeb && local(scheme):
		reason = say("links with the scheme $ are refused unless the allowed links name it", scheme)
	}
	if reason != "" {
		in.refuse("/l", say("argument $ is $, ?", "l", url, reason))
	}
}

// deeplink opens a link, unless the interceptor handles it.
func deeplink(x *execution) {
	url := x.text("l")
	open := func() {
		if x.has(CapabilityLinkOpener) {
			inApp, _ := x.arguments["li"].(bool)
			x.host.LinkOpener.OpenLink(url, inApp, x.done(nil))
		}
	}
	if x.host.Interceptor == nil {
		open()
		return
	}
	x.ask(func(answer answer) {
		x.host.Interceptor.InterceptLink(url, func(handled bool, err error) {
			if handled && err == nil {
				x.performed(nil)
			} else {
				answer(err, open)
			}
		})
	})
}

func deeplinkNeeds(h *Host) CapabilityName {
	if h.Interceptor != nil {
		return ""
	}
	return CapabilityLinkOpener
}

// splitLink reads a link as a browser does: control characters and blanks around it are nothing, nor are tabs and line ends
// inside of it; the scheme is ASCII and has no letter case. scheme is "" when there is none.
func splitLink(url string) (scheme, rest string) {
	for url != "" && url[0] <= ' ' {
		url = url[1:]
	}
	for url != "" && url[len(url)-1] <= ' ' {
		url = url[:len(url)-1]
	}
	url = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, url)
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
