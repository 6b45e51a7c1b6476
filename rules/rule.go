// Package rules holds the rules that judge a reply: one value and one file each, and the catalogue.
package rules

// Rule is one check on a reply. The zero Check marks a rule that cannot apply to replies; Doc says why.
type Rule struct {
	ID     string // "S05"
	Title  string // "presence of events"
	Doc    string // what it checks, why, and what to do about a finding; Markdown
	Source string // where the rule comes from: specification section, paper section, or rules.md row
	Tier   Tier
	Since  string // rules version
	Needs  []string
	Check  func(*Pass)
}
