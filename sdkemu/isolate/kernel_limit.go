//go:build linux

package isolate

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

func init() { kernelLimit = limitData }

// limitData lets the process add so many bytes of private writable memory to what it has (setrlimit(2), RLIMIT_DATA,
// which counts them since Linux 4.7), and makes it the first that the kernel ends when the machine runs out of memory
// (proc_pid_oom_score_adj(5)), before the program that started it.
func limitData(more int64) error {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return err
	}
	const data = 5 // size resident shared text lib data dt, in pages (proc_pid_statm(5))
	fields := bytes.Fields(statm)
	if len(fields) <= data {
		return fmt.Errorf("/proc/self/statm is %q", statm)
	}
	pages, err := strconv.ParseUint(string(fields[data]), 10, 64)
	if err != nil {
		return fmt.Errorf("read /proc/self/statm: %w", err)
	}
	most := pages*uint64(os.Getpagesize()) + uint64(more)
	return errors.Join(
		syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: most, Max: most}),
		os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0),
	)
}
