package rules

// Pass is one rule's look at one exchange.
type Pass struct {
	Rule *Rule
}
