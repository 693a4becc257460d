// Package actionsjson reads and writes the arguments and results of actions as JSON, for surfaces that exchange text. It is
// small because it links neither encoding/json nor reflection.
//
// Reading is strict: what RFC 8259 does not allow is refused, and so are a name given twice in one object, text that is not valid UTF-8,
// nesting deeper than 128, and anything but white space after the value. Values have the types that [actions.Arguments] documents: a
// number written without fraction and exponent is an int64, or a uint64 above that, exact to its last digit; every other number is the
// nearest float64, and one that is too large for it is refused. An escaped lone surrogate is read as U+FFFD.
//
// Writing gives the members of objects in sorted order and floats with a fraction or an exponent, so that reading gives back
// the same types: reading what was written yields an equal value.
package actionsjson
