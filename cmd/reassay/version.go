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

// buildVersion is this program's.
func buildVersion() string { return versionOf(debug.ReadBuildInfo()) }

// versionOf is what the Go toolchain stamped into the binary: the module's version, and the commit that it was built
// of. GOFLAGS=-buildvcs=false keeps the commit out, and with it the version of a build from a working tree.
func versionOf(info *debug.BuildInfo, ok bool) string {
	if !ok {
		return "of unknown version"
	}
	stamped := map[string]string{}
	for _, s := range info.Settings {
		stamped[s.Key] = s.Value
	}
	version, revision := info.Main.Version, stamped["vcs.revision"]
	if version == "(devel)" {
		version = ""
	}
	if revision != "" && stamped["vcs.modified"] == "true" {
		revision += " with changes"
	}
	switch {
	case version != "" && revision != "":
		return version + ", commit " + revision
	case version != "":
		return version
	case revision != "":
		return "of commit " + revision
	}
	return "of an unstamped build"
}
