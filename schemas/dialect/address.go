package dialect

import "strings"

// Address is where an interface takes requests. Variables of the path stand in braces.
type Address struct {
	Interface    *Interface
	Method, Path string
}

// Take adds an address to those that are taken, unless another interface takes requests there; then it says so.
// Interfaces may have one version as long as no path is one of both.
func Take(taken []Address, wanted Address) (all []Address, fault string) {
	for _, other := range taken {
		if other.Interface.Name != wanted.Interface.Name && other.Method == wanted.Method && meet(other.Path, wanted.Path) {
			return taken, "a request to " + wanted.Method + " " + wanted.Path + " may be one to " + other.Path + " of the interface " + other.Interface.Name +
				": write another path, or give " + wanted.Interface.File + " or " + other.Interface.File + " another version"
		}
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
