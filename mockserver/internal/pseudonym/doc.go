// Package pseudonym replaces what files say of people. A value is kept only if it is of a closed kind: a code of a region, a date, a code
// of a bounce. All others become values of the synthetic world that belong to nobody, which follow from a key by HMAC: the same value
// becomes the same one in every file and every run. Nothing of its length, letters or marks is left, and the key turns nothing back. See
// docs/how-to/import-exports.md#pseudonyms
package pseudonym
