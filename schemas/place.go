package schemas

// Offset is where in a JSON text a problem of its value is, in bytes from 0: at the member name for a member that may
// not be there, at the object for a member that is missing, else at the value. It is 0 where the text is not the one
// the problem is about.
func (p Problem) Offset(text []byte) int64 {
	if p.Pointer == "" {
		return 0
	}
	return offsetOf(text, p)
}
