package files

import "io"

// lockPart does nothing: a file that is open cannot be removed here.
func lockPart(string) (io.Closer, error) { return nil, nil }
