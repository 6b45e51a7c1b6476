package rules

import (
	"strings"

	"reassay/assemble"
	"reassay/convir"
	"reassay/sdkemu"
)

// raisesOn ties an exception of an SDK to what provokes it.
type raisesOn struct {
	SDK     string // "openai-python"
	Class   string // "" for any
	Message string // a part of the message, "" for any
	Faults  []assemble.FaultCode
	Rule    string // the rule whose finding on the stream provokes it where no fault does
	Own     string // what the SDK does by itself where nothing on the stream is wrong: a mechanism
	Source  string // the SDK's file, as released
}

const (
	pyHelper  = "openai-python@2.54.0 lib/streaming/chat/_completions.py"
	pyParsing = "openai-python@2.54.0 lib/_parsing/_completions.py"
	pyDeltas  = "openai-python@2.54.0 lib/streaming/_deltas.py"
	pyStream  = "openai-python@2.54.0 _streaming.py"
	nodeChat  = "openai-node@5.23.2 lib/ChatCompletionStream.ts"
	nodeSSE   = "openai-node@5.23.2 core/streaming.ts"
	goSSE     = "openai-go@v3.99.0 packages/ssestream/ssestream.go"

	anthropicNode    = "anthropic-node@1.14.0 lib/MessageStream.ts"
	anthropicNodeSSE = "anthropic-node@1.14.0 core/streaming.ts"
	anthropicPy      = "anthropic-python@2.14.0 lib/streaming/_messages.py"
	anthropicPySSE   = "anthropic-python@2.14.0 _streaming.py"
	anthropicGo      = "anthropic-sdk-go@v1.84.0 messageutil.go"
	anthropicGoSSE   = "anthropic-sdk-go@v1.84.0 packages/ssestream/ssestream.go"
)

// exceptionTable lists the exceptions that official SDKs are known to raise on a stream, and their causes.
var exceptionTable = []raisesOn{
	{SDK: "openai-python", Class: "LengthFinishReasonError", Rule: "S12", Own: "final call raises on a truthful length end", Source: pyParsing},
	{SDK: "openai-python", Class: "ContentFilterFinishReasonError", Rule: "S12", Own: "final call raises on a truthful content_filter end", Source: pyParsing},
	{SDK: "openai-python", Class: "JSONDecodeError", Faults: []assemble.FaultCode{assemble.BadJSON, assemble.EmptyData, assemble.CutFrame, assemble.ArgsNotJSON, assemble.ArgsEmpty},
		Own: "a frame without data is parsed as JSON", Source: pyStream},
	{SDK: "openai-python", Class: "UnicodeDecodeError", Own: "bytes that are not UTF-8 raise", Source: pyStream},
	{SDK: "openai-python", Class: "IndexError", Faults: []assemble.FaultCode{assemble.IndexStart, assemble.IndexGap, assemble.IndexInvalid, assemble.IndexMissing}, Source: pyHelper},
	{SDK: "openai-python", Class: "TypeError", Message: "list indices", Faults: []assemble.FaultCode{assemble.IndexMissing, assemble.IndexInvalid}, Source: pyHelper},
	{SDK: "openai-python", Class: "TypeError", Message: "not iterable", Faults: []assemble.FaultCode{assemble.MissingField, assemble.WrongType}, Source: pyHelper},
	{SDK: "openai-python", Class: "TypeError", Message: "list delta", Faults: []assemble.FaultCode{assemble.WrongType, assemble.IndexMissing, assemble.IndexInvalid},
		Own: "a list in a delta is merged by index", Source: pyDeltas},
	{SDK: "openai-python", Class: "RuntimeError", Message: "list delta", Own: "a list in a delta is merged by index", Source: pyDeltas},
	{SDK: "openai-python", Class: "AttributeError", Faults: []assemble.FaultCode{assemble.MissingField, assemble.WrongType, assemble.NotAnObject}, Source: pyHelper},
	{SDK: "openai-python", Class: "KeyError", Faults: []assemble.FaultCode{assemble.MissingField}, Source: pyHelper},
	{SDK: "openai-python", Class: "AssertionError", Faults: []assemble.FaultCode{assemble.TypeNull, assemble.NoFinish, assemble.TypeMissing, assemble.TypeInvalid, assemble.MissingField, assemble.ObjectInvalid,
		assemble.UnknownEvent}, Source: pyHelper},
	{SDK: "openai-node", Message: "missing finish_reason", Faults: []assemble.FaultCode{assemble.NoFinish, assemble.FinishEmpty, assemble.IndexMissing, assemble.IndexInvalid}, Source: nodeChat},
	{SDK: "openai-node", Message: "missing role", Faults: []assemble.FaultCode{assemble.RoleMissing, assemble.RoleInvalid, assemble.NoFinish}, Source: nodeChat},
	{SDK: "openai-node", Message: "].id", Faults: []assemble.FaultCode{assemble.CallIDMissing, assemble.CallIDEmpty}, Source: nodeChat},
	{SDK: "openai-node", Message: "].type", Faults: []assemble.FaultCode{assemble.TypeMissing}, Source: nodeChat},
	{SDK: "openai-node", Message: "function.name", Faults: []assemble.FaultCode{assemble.NameMissing}, Source: nodeChat},
	{SDK: "openai-node", Message: "snapshot missing", Faults: []assemble.FaultCode{assemble.TypeMissing, assemble.IndexInvalid, assemble.IndexMissing}, Source: nodeChat},
	{SDK: "openai-node", Message: "reading 'type'", Faults: []assemble.FaultCode{assemble.IndexStart, assemble.IndexGap, assemble.IndexInvalid}, Source: nodeChat},
	{SDK: "openai-node", Message: "not iterable", Faults: []assemble.FaultCode{assemble.MissingField, assemble.WrongType, assemble.UnknownEvent}, Source: nodeChat},
	{SDK: "openai-node", Message: "without sending any chunks", Faults: []assemble.FaultCode{assemble.NoFinish}, Source: nodeChat},
	{SDK: "openai-node", Message: "JSON", Faults: []assemble.FaultCode{assemble.BadJSON, assemble.EmptyData, assemble.CutFrame, assemble.NotAnObject}, Source: nodeSSE},
	{SDK: "openai-node", Class: "Hang", Faults: []assemble.FaultCode{assemble.NoFinish, assemble.RoleInvalid, assemble.RoleMissing, assemble.IndexMissing, assemble.IndexInvalid, assemble.IndexStart}, Source: nodeChat},
	{SDK: "openai-go", Faults: []assemble.FaultCode{assemble.BadJSON, assemble.EmptyData, assemble.NotAnObject, assemble.WrongType}, Source: goSSE},

	{SDK: "anthropic-node", Message: "without producing a Message", Faults: []assemble.FaultCode{assemble.NoTerminal, assemble.NoFinish, assemble.NoStart, assemble.CutFrame, assemble.EventMismatch, assemble.UnknownEvent}, Source: anthropicNode},
	{SDK: "anthropic-node", Message: "without sending any chunks", Faults: []assemble.FaultCode{assemble.NoStart, assemble.NoTerminal, assemble.NoFinish}, Source: anthropicNode},
	{SDK: "anthropic-node", Message: "Unexpected event order", Faults: []assemble.FaultCode{assemble.StartTwice}, Source: anthropicNode},
	{SDK: "anthropic-node", Message: "Cannot read properties", Faults: []assemble.FaultCode{assemble.BlockNotOpen, assemble.NoStart, assemble.IndexMissing, assemble.IndexInvalid, assemble.MissingField, assemble.WrongType, assemble.NotAnObject}, Source: anthropicNode},
	{SDK: "anthropic-node", Message: "JSON", Faults: []assemble.FaultCode{assemble.ArgsNotJSON, assemble.ArgsEmpty, assemble.DeltaMismatch, assemble.BlockNotOpen, assemble.BadJSON, assemble.EmptyData, assemble.CutFrame, assemble.NotAnObject}, Rule: "S04", Source: anthropicNodeSSE},
	{SDK: "anthropic-python", Class: "IndexError", Faults: []assemble.FaultCode{assemble.BlockNotOpen, assemble.NoStart, assemble.IndexGap, assemble.IndexStart, assemble.IndexInvalid, assemble.IndexMissing}, Source: anthropicPy},
	{SDK: "anthropic-python", Class: "TypeError", Faults: []assemble.FaultCode{assemble.IndexMissing, assemble.IndexInvalid, assemble.MissingField, assemble.WrongType, assemble.NotAnObject}, Source: anthropicPy},
	{SDK: "anthropic-python", Class: "AttributeError", Faults: []assemble.FaultCode{assemble.MissingField, assemble.WrongType, assemble.NotAnObject, assemble.UnknownEvent}, Source: anthropicPy},
	{SDK: "anthropic-python", Class: "RuntimeError", Message: "Unexpected event order", Faults: []assemble.FaultCode{assemble.NoStart}, Source: anthropicPy},
	{SDK: "anthropic-python", Class: "ValueError", Message: "tool parameter JSON", Faults: []assemble.FaultCode{assemble.ArgsNotJSON, assemble.DeltaMismatch, assemble.BlockNotOpen, assemble.BlockOverlap}, Rule: "S04", Source: anthropicPy},
	{SDK: "anthropic-python", Class: "AssertionError", Faults: []assemble.FaultCode{assemble.NoStart, assemble.NoTerminal, assemble.NoFinish, assemble.EventMismatch, assemble.UnknownEvent}, Source: anthropicPy},
	{SDK: "anthropic-python", Class: "JSONDecodeError", Faults: []assemble.FaultCode{assemble.BadJSON, assemble.EmptyData, assemble.CutFrame}, Source: anthropicPySSE},
	{SDK: "anthropic-python", Class: "UnicodeDecodeError", Own: "bytes that are not UTF-8 raise", Source: anthropicPySSE},
	{SDK: "anthropic-go", Message: "received event of type", Faults: []assemble.FaultCode{assemble.BlockNotOpen, assemble.NoStart, assemble.IndexGap, assemble.IndexStart, assemble.IndexReused, assemble.IndexInvalid, assemble.IndexMissing, assemble.BlockOverlap}, Source: anthropicGo},
	{SDK: "anthropic-go", Faults: []assemble.FaultCode{assemble.BadJSON, assemble.EmptyData, assemble.NotAnObject, assemble.WrongType, assemble.MissingField, assemble.ArgsNotJSON}, Source: anthropicGoSSE},
}

// known is the table's row for an exception, nil when it has none.
func known(sdk string, e *sdkemu.ExceptionDetail) *raisesOn {
	for i := range exceptionTable {
		r := &exceptionTable[i]
		if r.SDK == sdk && (r.Class == "" || r.Class == e.Class) && strings.Contains(e.Message, r.Message) {
			return r
		}
	}
	return nil
}

// provoker is the stream's finding that an exception answers, nil when the SDK raises of its own accord.
func (j *judge) provoker(r *Run) *Finding {
	e := r.Result.Exception
	if f := j.wholeFinding(); f != nil {
		return f
	}
	row := known(r.Target.SDK, e)
	faults := j.faults[j.c.Stream]
	if row != nil {
		for _, code := range row.Faults {
			for i := range faults {
				if f := faults[i].finding(); f != nil && f.Tier == T1 && faults[i].all[0].Code == code {
					return f
				}
			}
		}
	}
	if f := j.atEvent(e, faults); f != nil {
		return f
	}
	for _, f := range j.findings {
		if f.Leg != StreamLeg || f.Tier != T1 {
			continue
		}
		named := row != nil && row.Rule != "" && f.Rule == row.Rule
		if named && (row.Rule != S12.ID || !j.truthfulEnd()) || f.Construct == string(convir.CError) {
			return f
		}
	}
	return nil
}

// truthfulEnd reports whether the stream's own end is what the reference says: then an exception over it is the SDK's.
func (j *judge) truthfulEnd() bool {
	if j.c.StreamComparison == nil {
		return true
	}
	for _, d := range j.c.StreamComparison.Differences {
		if d.Aspect == Ending {
			return false
		}
	}
	return true
}

// atEvent is the finding on a fault in the frame of the event at which the SDK raised.
func (j *judge) atEvent(e *sdkemu.ExceptionDetail, faults []fault) *Finding {
	n, ok := eventNumber(e)
	if !ok {
		return nil
	}
	frame, ok := j.c.Stream.frameOfEvent(n)
	if !ok {
		return nil
	}
	for i := range faults {
		named := faults[i].finding()
		if named == nil || named.Tier != T1 {
			continue
		}
		for _, x := range faults[i].all {
			if x.At.Frame == frame {
				return named
			}
		}
	}
	return nil
}

// ownException says that an SDK raises on a stream that its dialect allows.
func (j *judge) ownException(r *Run) {
	e := r.Result.Exception
	mechanism := "raises " + e.Class + " on a stream that the dialect allows"
	if row := known(r.Target.SDK, e); row != nil && row.Own != "" {
		mechanism = row.Own
	}
	p := &Pass{Rule: S13, Case: j.c, judge: j, comparisons: nil}
	leg := &Leg{Name: SDKLeg(r.Target.Name()), Dialect: j.c.Stream.Dialect}
	f := Finding{Tier: T1, Name: "SDK raises on a legal stream", Mechanism: mechanism, Construct: string(convir.CStream), Cause: BySDK,
		Support: Unavoidable, Message: r.Target.SDK + " " + r.Target.Version + " raises " + e.Class + atEvent(e) + " on a stream that its dialect allows"}
	if n, ok := eventNumber(e); ok {
		if frame, ok := j.c.Stream.frameOfEvent(n); ok {
			f.Related = []At{{Leg: StreamLeg, Frame: frame, Byte: j.c.Stream.byteOfEvent(n)}}
		}
	}
	r.link(p.finding(leg, f))
}
