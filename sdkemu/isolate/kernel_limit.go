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
// (proc_pid_oom_score_adj(5)), before the program that started it. Memory that was reserved first and is made writable
// afterwards, as Go does with its heap, is not refused by that limit, only what comes next is: so the address space is
// limited too, by more, because Go reserves it in arenas of 64 MiB.
func limitData(more int64) error {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return err
	}
	const size, data = 0, 5 // size resident shared text lib data dt, in pages (proc_pid_statm(5))
	fields := bytes.Fields(statm)
	if len(fields) <= data {
		return fmt.Errorf("/proc/self/statm is %q", statm)
	}
	limit := func(resource, field int, more uint64) error {
		pages, err := strconv.ParseUint(string(fields[field]), 10, 64)
		if err != nil {
			return fmt.Errorf("read /proc/self/statm: %w", err)
		}
		most := pages*uint64(os.Getpagesize()) + more
		return syscall.Setrlimit(resource, &syscall.Rlimit{Cur: most, Max: most})
	}
	const arenas = 256 << 20
	return errors.Join(
		limit(syscall.RLIMIT_DATA, data, uint64(more)),
		limit(syscall.RLIMIT_AS, size, uint64(more)+arenas),
		os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0),
	)
}
