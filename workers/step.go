package workers

// Step is a point on the way of one message from its delivery to its settlement. A worker may die at each of them, and
// the exchange has one verdict in the end all the same.
type Step string

// The steps, in the order in which a message meets them.
const (
	stepFetched  Step = "fetched"            // delivered, nothing done
	stepComplete Step = "complete"           // every leg of the exchange has ended, nothing read back
	stepRead     Step = "read back"          // the legs are in memory
	stepJudged   Step = "judged"             // the verdict is in memory
	stepKept     Step = "evidence kept"      // the server has the bytes behind the verdict, where they are kept
	stepStored   Step = "verdict stored"     // the server has the verdict
	stepBuried   Step = "dead letter stored" // the server has the dead letter, the message is not terminated
	stepSettled  Step = "settled"            // acknowledged, given back or terminated
)

// Steps lists them all.
var Steps = []Step{stepFetched, stepComplete, stepRead, stepJudged, stepKept, stepStored, stepBuried, stepSettled}

// reached tells the outside that a step was reached.
func (p *pool) reached(s Step) {
	if p.config.Reached != nil {
		p.config.Reached(s)
	}
}
