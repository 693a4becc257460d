// Package android holds the tests of the Android host and of the sample app: compiled against the API of Android, and driven
// through the real library on a device that is made up. They need tools, so they run with the build tag proof only: mobile/test.sh.
package android
