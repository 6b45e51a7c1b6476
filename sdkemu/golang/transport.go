package golang

import (
	"io"
	"net/http"

	"reassay/sdkemu"
)

// transport answers a client's one request with the recorded reply, in the transport's own chunks.
type transport struct{ in sdkemu.Input }

// Do implements the SDK's HTTPClient.
func (t transport) Do(req *http.Request) (*http.Response, error) {
	status := t.in.Status
	if status == 0 {
		status = http.StatusOK
	}
	header := http.Header{}
	for name, values := range t.in.Headers {
		for _, v := range values {
			header.Add(name, v)
		}
	}
	// The body comes with its content-encoding already undone, as net/http does for the codings it asked for.
	header.Del("Content-Encoding")
	if t.in.ContentType != "" {
		header.Set("Content-Type", t.in.ContentType)
	}
	return &http.Response{
		Status:        http.StatusText(status),
		StatusCode:    status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        header,
		Body:          io.NopCloser(&chunkReader{in: t.in}),
		ContentLength: -1,
		Request:       req,
	}, nil
}

// chunkReader hands over one transport chunk a read, then the end. A broken transport ends as net/http words it for a
// body whose last chunk never came (net/http/internal/chunked.go): io.ErrUnexpectedEOF.
type chunkReader struct {
	in   sdkemu.Input
	pos  int
	next int // index into in.Cuts
}

func (r *chunkReader) Read(p []byte) (int, error) {
	if r.pos >= len(r.in.Body) {
		if r.in.Break != nil {
			return 0, io.ErrUnexpectedEOF
		}
		return 0, io.EOF
	}
	end := len(r.in.Body)
	for r.next < len(r.in.Cuts) && r.in.Cuts[r.next] <= r.pos {
		r.next++
	}
	if r.next < len(r.in.Cuts) {
		end = min(end, r.in.Cuts[r.next])
	}
	n := copy(p, r.in.Body[r.pos:end])
	r.pos += n
	return n, nil
}
