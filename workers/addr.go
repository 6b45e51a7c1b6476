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
	if !loopback(host) {
		return fmt.Errorf("%q is not a loopback address: listen on 127.0.0.1", addr)
	}
	return nil
}

// loopback reports whether a host is this machine's own alone.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
