// Package storetest tests implementations of [store.Store]: one suite for all.
package storetest
