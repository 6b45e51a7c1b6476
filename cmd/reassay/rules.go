package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"reassay/rules"
)

func newRules(e env) *cobra.Command {
	return &cobra.Command{
		Use:   "rules [ID]",
		Short: "List the rules, or explain one",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listRules(e)
			}
			text, known := rules.Explain(strings.ToUpper(args[0]))
			if !known {
				return usage("no rule %q; reassay rules lists them", args[0])
			}
			_, err := fmt.Fprintln(e.stdout, strings.TrimSpace(text))
			return err
		},
	}
}

func listRules(e env) error {
	for _, r := range rules.Catalogue {
		if _, err := fmt.Fprintf(e.stdout, "%-6s %-3s %s\n", r.ID, r.Tier, r.Title); err != nil {
			return err
		}
	}
	return nil
}
