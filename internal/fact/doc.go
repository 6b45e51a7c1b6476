// Package fact holds the facts of fixtures/facts, what the official SDKs make of a reply stream, to the probes of
// fixtures/probes and to the SDKs that are built in. It is tests alone.
package fact
