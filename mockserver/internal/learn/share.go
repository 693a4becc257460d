package learn

// share is a part of a whole to which people contribute: x of their n. People contribute several things, messages above
// all, that are alike; so the interval is that of a ratio of sums over people, and not that of so many coins.
type share struct {
	people  int64 // who contribute to the whole
	with    int64 // of them, who contribute to the part
	without int64 // who contribute to the rest
	n, x    float64
	nn, nx  float64
	xx      float64
}

// add adds what one person contributes.
func (s *share) add(x, n float64) {
	if n == 0 {
		return
	}
	s.people++
	if x > 0 {
		s.with++
	}
	if x < n {
		s.without++
	}
	s.n, s.x = s.n+n, s.x+x
	s.nn, s.nx, s.xx = s.nn+n*n, s.nx+n*x, s.xx+x*x
}

// scale makes the whole so many times as large.
func (s *share) scale(by float64) {
	s.n, s.nx, s.nn = s.n*by, s.nx*by, s.nn*by*by
}

func (s *share) rate() float64 {
	if s.n == 0 {
		return 0
	}
	return s.x / s.n
}

// effective is how many independent things would tell as much.
func (s *share) effective() float64 {
	p := s.rate()
	if p <= 0 || p >= 1 {
		return float64(s.people)
	}
	variance := (s.xx - 2*p*s.nx + p*p*s.nn) / (s.n * s.n)
	if variance <= 0 {
		return s.n
	}
	return min(p*(1-p)/variance, s.n)
}
