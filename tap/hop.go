package tap

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"
)

// hop passes everything to one upstream.
type hop struct {
	tap      *Tap
	upstream *url.URL
	proxy    *httputil.ReverseProxy
	one, two *http.Transport // for callers of HTTP/1.1 and of HTTP/2
}

func newHop(t *Tap, upstream *url.URL) (*hop, error) {
	switch {
	case upstream.Scheme != "http" && upstream.Scheme != "https", upstream.Host == "":
		return nil, fmt.Errorf("the upstream %q: want an http or https URL with a host", upstream.Redacted())
	case upstream.User != nil || upstream.RawQuery != "" || upstream.Fragment != "":
		return nil, fmt.Errorf("the upstream %q: want scheme, host and path alone; callers send their own credentials", upstream.Redacted())
	}
	h := &hop{tap: t, upstream: upstream, one: newTransport(t.config, false), two: newTransport(t.config, true)}
	h.proxy = &httputil.ReverseProxy{
		Rewrite:        h.rewrite,
		ModifyResponse: h.replied,
		ErrorHandler:   h.failed,
		Transport:      h,
		FlushInterval:  -1, // each piece as it comes
		BufferPool:     &buffers,
		ErrorLog:       zap.NewStdLog(t.config.Log),
	}
	return h, nil
}

const (
	// pieceBytes is how much of a reply is passed on at once.
	pieceBytes = 32 << 10
	// maxIdle is how many connections to an upstream wait for the next request.
	maxIdle = 512
	// continueWait is how long a request's body waits for the upstream's word, where its caller asked for that.
	continueWait = time.Second
)

// newTransport is how upstreams are reached for callers of one version of HTTP. A caller's version is its peer's, as
// far as the peer speaks it.
func newTransport(c Config, two bool) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true // what a caller did not ask for is not asked for
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, maxIdle
	t.ReadBufferSize = pieceBytes
	t.ExpectContinueTimeout = continueWait
	t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	if c.UpstreamTLS != nil {
		t.TLSClientConfig = c.UpstreamTLS.Clone()
	}
	t.Protocols = new(http.Protocols)
	t.Protocols.SetHTTP1(!two || !c.UpstreamH2C)
	t.Protocols.SetHTTP2(two)
	t.Protocols.SetUnencryptedHTTP2(two && c.UpstreamH2C)
	t.ForceAttemptHTTP2 = two
	return t
}

// server is one that passes everything on. It has no time limits: replies stream for as long as models think, and a
// connection that waits is its caller's to close. Peers that are gone without a word are found by TCP's own probes.
func (h *hop) server() *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{Handler: h, Protocols: protocols, ErrorLog: zap.NewStdLog(h.tap.config.Log)}
}

// close lets go of the connections that wait for a next request.
func (h *hop) close() {
	h.one.CloseIdleConnections()
	h.two.CloseIdleConnections()
}

// visit is one request's stay: the way back to its caller, and what is mirrored of it, nil where nothing is.
type visit struct {
	back    *back
	asked   *asked // nil: the request has no body
	passage *passage
}

type visitKey struct{}

func visitOf(r *http.Request) *visit { return r.Context().Value(visitKey{}).(*visit) }

// ServeHTTP passes one request and its reply.
func (h *hop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// A reply may begin before its request has ended. HTTP/2 always lets it, and refuses the question.
	_ = http.NewResponseController(w).EnableFullDuplex()
	v := &visit{back: &back{ResponseWriter: w}, passage: h.tap.watch(r)}
	defer v.passage.left()
	h.proxy.ServeHTTP(v.back, r.WithContext(context.WithValue(r.Context(), visitKey{}, v)))
}

// rewrite makes the request to the upstream: the caller's own, to another host. What ReverseProxy takes out of it and
// is no matter of one connection alone is put back.
func (h *hop) rewrite(r *httputil.ProxyRequest) {
	in, out := r.In, r.Out
	out.URL.Scheme, out.URL.Host, out.Host = h.upstream.Scheme, h.upstream.Host, h.upstream.Host
	h.setPath(in, out)
	out.URL.RawQuery = in.URL.RawQuery
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if values, sent := in.Header[name]; sent {
			out.Header[name] = values
		}
	}
	out.Trailer = in.Trailer // the server fills it in when the body has been read
	v := visitOf(in)
	h.tap.mark(out.Header, v.passage)
	if out.Body != nil {
		v.asked = newAsked(out.Body, in.ContentLength, v.passage)
		out.Body = v.asked
	}
}

// setPath puts the upstream's path before the caller's, whose spelling is kept to the byte.
func (h *hop) setPath(in, out *http.Request) {
	prefix := strings.TrimSuffix(h.upstream.EscapedPath(), "/")
	if path, _, _ := strings.Cut(in.RequestURI, "?"); strings.HasPrefix(prefix+path, "/") && !strings.HasPrefix(prefix+path, "//") {
		out.URL.Opaque = prefix + path // sent as it is
		return
	}
	out.URL.Path = strings.TrimSuffix(h.upstream.Path, "/") + in.URL.Path
	out.URL.RawPath = prefix + in.URL.EscapedPath()
}

// RoundTrip sends a request on in its caller's version of HTTP.
func (h *hop) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.ProtoMajor >= 2 {
		return h.two.RoundTrip(r)
	}
	return h.one.RoundTrip(r)
}

// replied hooks the mirror into a reply. A connection that switches protocols is no reply of a model.
func (h *hop) replied(res *http.Response) error {
	if res.StatusCode == http.StatusSwitchingProtocols {
		return nil
	}
	v := visitOf(res.Request)
	if res.Request.ProtoMajor == 1 && (res.Close || v.asked != nil && !v.asked.ended.Load()) {
		// The upstream closes after this reply, and so does its caller's connection; and so it does where the reply comes
		// before its request has ended: what is left of that may never come.
		res.Header.Set("Connection", "close")
	}
	v.passage.replied(res)
	res.Body = &reply{ReadCloser: res.Body, visit: v, of: res}
	return nil
}

// failed ends a request that no reply came to. Only an upstream that was not reached at all is answered for: one that
// closes its connection without a word is passed on as just that.
func (h *hop) failed(w http.ResponseWriter, r *http.Request, err error) {
	p := visitOf(r).passage
	p.failed(err)
	if r.Context().Err() != nil || !unreachable(err) {
		panic(http.ErrAbortHandler)
	}
	h.tap.config.Log.Warn("the upstream cannot be reached", zap.String("upstream", h.upstream.Host), zap.String("reason", how(err)))
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusBadGateway)
	fmt.Fprintf(w, "reassay tap: the upstream cannot be reached: %s\n", how(err))
}

// buffers are what replies pass through.
var buffers bufferPool

type bufferPool struct{ pool sync.Pool }

func (b *bufferPool) Get() []byte {
	if buf, ok := b.pool.Get().(*[pieceBytes]byte); ok {
		return buf[:]
	}
	return make([]byte, pieceBytes)
}

func (b *bufferPool) Put(buf []byte) { b.pool.Put((*[pieceBytes]byte)(buf)) }
