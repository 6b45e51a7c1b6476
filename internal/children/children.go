// Package children lists the processes that a process has started, for tests that end some or look for those left.
package children

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Of lists the processes that one has started and not reaped, as Linux tells them (proc_pid_task(5)). On another system,
// and where there is no such process, it is an error.
func Of(pid int) ([]int, error) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no list of the children of process %d: this needs Linux", pid)
	}
	var all []int
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			continue // a thread that ended
		}
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				all = append(all, child)
			}
		}
	}
	return all, nil
}
