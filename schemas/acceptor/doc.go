// Package acceptor says yes to JSON documents fast. From a compiled schema it makes a checker that parses a document and checks it in one
// go, without allocating memory.
//
// It only ever accepts. What it does not accept, or does not understand, is for the validator to judge, which alone refuses and explains:
//
//	if checker.Accept(body, &document) {
//		// body conforms; document holds its members
//	} else if err := library.Validate(name, decoded); err != nil {
//		// err says why not
//	}
//
// The parser leaves to the validator whatever is rare in honest documents: escape sequences in strings, numbers that are no short
// integers, repeated member names, deep nesting, and anything that is not strict JSON. A schema with a keyword that is not known here has
// a checker that accepts nothing.
package acceptor
