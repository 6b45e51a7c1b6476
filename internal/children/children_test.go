package children

import (
	"os"
	"os/exec"
	"slices"
	"testing"
)

func TestOf(t *testing.T) {
	c := exec.Command("sleep", "60")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	running, err := Of(os.Getpid())
	if err != nil || !slices.Contains(running, c.Process.Pid) {
		t.Errorf("%v (%v), want %d among them", running, err, c.Process.Pid)
	}
	_ = c.Process.Kill()
	_ = c.Wait()
	if left, err := Of(os.Getpid()); err != nil || len(left) > 0 {
		t.Errorf("%v (%v), want none", left, err)
	}
}
