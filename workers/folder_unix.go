//go:build unix

package workers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// lockFolder makes a folder this process's own until unlock: two servers that write one store destroy it, and the
// server itself does not look. The lock ends with the process, however that ends.
func lockFolder(folder string) (unlock func(), err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(folder, "reassay.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the folder: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errors.New("another process has it open: stop that one, or name another folder by --store")
		}
		return nil, fmt.Errorf("lock the folder: %w", err)
	}
	return func() { f.Close() }, nil
}
