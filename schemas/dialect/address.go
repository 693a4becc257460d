package dialect

import "strings"

// Address is where an interface takes requests. Variables of the path stand in braces.
type Address struct {
	Interface    *Interface
	Method, Path string
}

// Take adds an address to those that are taken, unless requests to it may be meant for one of these; then it says so. Interfaces may have
// one version as long as no path is one of both. One interface may have an address twice: its payloads tell what is asked for.
func Take(taken []Address, wanted Address) (all []Address, fault string) {
	for _, other := range taken {
		one := other.Interface.Name == wanted.Interface.Name
		if other.Method != wanted.Method || !meet(other.Path, wanted.Path) || one && other.Path == wanted.Path {
			continue
		}
		fault = "a request to " + wanted.Method + " " + wanted.Path + " may be one to " + other.Path + " of the interface " +
			other.Interface.Name + ": write another path"
		if !one {
			fault += ", or give " + wanted.Interface.File + " or " + other.Interface.File + " another version"
		}
		return taken, fault
	}
	return append(taken, wanted), ""
}

// meet tells whether there is a path that is one of both.
func meet(a, b string) bool {
	left, right := strings.Split(a, "/"), strings.Split(b, "/")
	if len(left) != len(right) {
		return false
	}
	for i := range left {
		if left[i] != right[i] && !strings.HasPrefix(left[i], "{") && !strings.HasPrefix(right[i], "{") {
			return false
		}
	}
	return true
}
