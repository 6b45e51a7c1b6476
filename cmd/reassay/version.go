package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"reassay/capture"
	"reassay/check"
	"reassay/report"
	"reassay/rules"
)

func newVersion(e env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which version this is, and which formats and rules it has",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(e.stdout, "reassay %s, built with %s\nrules %s; formats: capture %d, verdict %d, report %d\n",
				buildVersion(), runtime.Version(), rules.Version, capture.Version, check.VerdictVersion, report.Version)
			return err
		},
	}
}

// buildVersion is what the Go toolchain stamped into the binary: the module's version, or the commit it was built of.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "of unknown version"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "at commit " + s.Value[:12]
		}
	}
	return "of an unstamped build"
}
