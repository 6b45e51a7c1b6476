package workers

import (
	"fmt"
	"net"
	"strconv"
)

// splitAddr reads "host:port"; port 0 asks the system for a free one, which the server spells -1.
func splitAddr(addr string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, err
	}
	port, err = strconv.Atoi(text)
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q is no port", text)
	}
	if port == 0 {
		port = -1
	}
	return host, port, nil
}

// CheckLoopback refuses an address that another machine could reach.
func CheckLoopback(addr string) error {
	host, _, err := splitAddr(addr)
	if err != nil {
		return fmt.Errorf("listen on %q: %w", addr, err)
	}
	if host == "localhost" {
		return nil
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("%q is not a loopback address; the embedded server has no credentials: listen on 127.0.0.1 or run a NATS server of your own and use --nats", addr)
	}
	return nil
}
