package dataset

// Kept is how many keys and generations of keys the log keeps something of.
func (l *Log) Kept() (keys, generations int) {
	_ = l.turn.take(l.follower.context) // it does not end before the log does
	defer l.turn.give()
	return len(l.histories) - 1, len(l.keys) // but for the server
}
