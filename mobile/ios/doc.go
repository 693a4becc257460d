// Package ios holds the tests of the iOS host, of the sample app and of the generated Objective-C, as far as they can be had without
// Xcode. They need tools, so they run with the build tag proof only: mobile/test.sh.
package ios
