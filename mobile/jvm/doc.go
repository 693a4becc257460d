// Package jvm holds the tests that run the bindings as Java calls them: the generated Java, C and Go, built for this machine and
// loaded by a JVM. They take minutes and tools, so they run with the build tag proof only: mobile/test.sh.
package jvm
