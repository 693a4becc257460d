// Package kotlin holds the tests of the Kotlin in src: compiled by Kotlin and run over the bindings in a JVM. They take minutes and
// tools, so they run with the build tag proof only: mobile/test.sh.
package kotlin
