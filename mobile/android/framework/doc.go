// Package framework runs the Android host on the classes of Android itself, which Robolectric brings into a JVM, with the real library.
package framework
