package workers

// Step is a point on the way of one message from its delivery to its settlement. A worker may die at each of them, and
// the exchange has one verdict in the end all the same.
type Step string

// The steps, in the order in which a message meets them.
const (
	StepFetched  Step = "fetched"            // delivered, nothing done
	StepComplete Step = "complete"           // every leg of the exchange has ended, nothing read back
	StepRead     Step = "read back"          // the legs are in memory
	StepJudged   Step = "judged"             // the verdict is in memory
	StepStored   Step = "verdict stored"     // the server has the verdict
	StepBuried   Step = "dead letter stored" // the server has the dead letter, the message is not terminated
	StepSettled  Step = "settled"            // acknowledged, given back or terminated
)

// Steps lists them all.
var Steps = []Step{StepFetched, StepComplete, StepRead, StepJudged, StepStored, StepBuried, StepSettled}

// reached tells the outside that a step was reached.
func (p *pool) reached(s Step) {
	if p.config.Reached != nil {
		p.config.Reached(s)
	}
}
