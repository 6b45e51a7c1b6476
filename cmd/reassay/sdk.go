package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"reassay/check"
	"reassay/sdkemu"
)

func newSDK(e env) *cobra.Command {
	c := &cobra.Command{
		Use:   "sdk",
		Short: "List the SDKs that are built in, or run one on a stream",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newSDKList(e), newSDKRun(e))
	return c
}

func newSDKList(e env) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the SDKs, versions, APIs and modes that are built in",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			emulators, err := check.Emulators()
			if err != nil {
				return err
			}
			for _, t := range targets(emulators) {
				if _, err := fmt.Fprintf(e.stdout, "%-18s %-9s %-20s %s\n", t.SDK, t.Version, t.API, t.Mode); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// targets are the targets of all emulators, by SDK, version, API and mode.
func targets(emulators []sdkemu.Emulator) []sdkemu.Target {
	var all []sdkemu.Target
	for _, m := range emulators {
		all = append(all, m.Targets()...)
	}
	slices.SortFunc(all, func(a, b sdkemu.Target) int {
		return cmp.Or(cmp.Compare(a.SDK, b.SDK), cmp.Compare(a.Version, b.Version), cmp.Compare(a.API, b.API),
			cmp.Compare(a.Mode, b.Mode))
	})
	return all
}
