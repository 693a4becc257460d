//go:build !unix

package main

import "time"

// begin is when this program was started.
var begin = time.Now()

// processorUsed is the time that has passed, where the system does not tell the processor time.
func processorUsed() time.Duration { return time.Since(begin) }
