#!/bin/sh
# form-cluster.sh HOST…: makes a Redis Cluster of these nodes, unless it is made. Nodes know each other by address.
set -eu
REDISCLI_AUTH=$(cat /run/secrets-of-merx/password)
export REDISCLI_AUTH
# info HOST NAME
info() { redis-cli -h "$1" cluster info | tr -d '\r' | sed -n "s/^$2://p"; }
if [ "$(info "$1" cluster_known_nodes)" = 1 ]; then
  nodes=
  for host in "$@"; do nodes="$nodes $(getent hosts "$host" | awk '{ print $1 }'):6379"; done
  # shellcheck disable=SC2086 -- one word for each node
  redis-cli --cluster create $nodes --cluster-yes
fi
until [ "$(info "$1" cluster_state)" = ok ]; do sleep 1; done
