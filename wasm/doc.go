//go:build js && wasm

// Command wasm is the bridge between a web page and the actions: it converts, calls package actions, and converts back. Every
// rule lives there; the other half of the bridge is web/actions/src.
//
// Two roads lead across. What happens often goes through exports and imports that take 32-bit numbers: perform and the calls of handlers;
// an identifier lies in a buffer that both sides see, the arguments never leave the page. Everything else crosses as bytes in the same
// buffer, written by package wire. Values of the page are touched at set-up and for the capabilities of the host only, through safejs.
//
// Three rules keep the program alive. An export never blocks: promises are awaited by the page, which tells the outcome by
// another export. An import never throws, except when this program has ended. And an export answers with a number above zero,
// so that the zero of a program that has ended is no answer.
package main
