//go:build !unix

package workers

// lockFolder does nothing where the system has no flock(2).
func lockFolder(string) (unlock func(), err error) { return func() {}, nil }
