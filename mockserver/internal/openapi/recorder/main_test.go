package main

import (
	"bytes"
	"os"
	"testing"
)

// TestExamplesAreFresh records the examples again.
func TestExamplesAreFresh(t *testing.T) {
	kept, err := os.ReadFile("../examples.json")
	if err != nil {
		t.Fatal(err)
	}
	made, err := record()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, made) {
		t.Error("mockserver/internal/openapi/examples.json is stale: run make generate")
	}
}
