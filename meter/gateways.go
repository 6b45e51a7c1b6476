package meter

import "sync"

// MaxGateways is how many gateways have labels of their own; whoever comes later is counted as [OtherGateways]. Names
// come from publishers, and each new one would cost memory here and in Prometheus for good.
const MaxGateways = 100

// OtherGateways is the label that gateways beyond [MaxGateways] share. No gateway's token holds a parenthesis.
const OtherGateways = "(other)"

// gateways are those that have labels of their own.
type gateways struct {
	mu    sync.Mutex
	known map[string]bool
}

// label is the one for a gateway's token.
func (g *gateways) label(token string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.known[token]:
		return token
	case len(g.known) >= MaxGateways:
		return OtherGateways
	case g.known == nil:
		g.known = map[string]bool{}
	}
	g.known[token] = true
	return token
}
