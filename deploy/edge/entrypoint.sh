#!/bin/sh
# Starts the edge. With EDGE_TLS=self-signed a certificate for trying out is made first: browsers warn of it, and rightly.
set -eu
if [ "${EDGE_TLS:-off}" = self-signed ]; then
  EDGE_CERTIFICATE=/tmp/self-signed.pem
  if [ ! -f "$EDGE_CERTIFICATE" ]; then
    umask 077
    name=${EDGE_NAME:-localhost}
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj "/CN=$name" \
      -addext "subjectAltName=DNS:$name,IP:127.0.0.1" -keyout /tmp/self-signed.key -out /tmp/self-signed.crt 2>/dev/null
    cat /tmp/self-signed.crt /tmp/self-signed.key > "$EDGE_CERTIFICATE"
  fi
  EDGE_TLS=on
  export EDGE_TLS EDGE_CERTIFICATE
fi
exec haproxy -W -db -f "${EDGE_CONFIG:-/etc/haproxy/haproxy.cfg}"
