package main

import (
	"runtime/debug"
	"testing"
)

func TestVersionNamesTheCommit(t *testing.T) {
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "3dd6386b6eca6f5621dd322f27eee55d6f99908f"}
	changed := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for _, c := range []struct {
		version  string
		settings []debug.BuildSetting
		want     string
	}{
		{"v1.2.0", nil, "v1.2.0"},
		{"v1.2.0", []debug.BuildSetting{commit}, "v1.2.0, commit " + commit.Value},
		{"(devel)", []debug.BuildSetting{commit}, "of commit " + commit.Value},
		{"(devel)", []debug.BuildSetting{commit, changed}, "of commit " + commit.Value + " with changes"},
		{"(devel)", nil, "of an unstamped build"},
	} {
		if got := versionOf(&debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: c.settings}, true); got != c.want {
			t.Errorf("%s %v: %q, want %q", c.version, c.settings, got, c.want)
		}
	}
	if got, want := versionOf(nil, false), "of unknown version"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
