// Package mobile has nothing in it but the tests of what is built in this folder. What apps use is package actions in the folder
// of that name.
package mobile
