// Package tree holds the tests of the source tree itself: which package may import which, how many names each
// exports, and what may stand in no file.
package tree
