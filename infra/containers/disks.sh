#!/bin/bash
# disks.sh: small disks for the servers' data, in memory, which compose.histories.yml mounts and a history fills. They are under
# CT_ROOT, so `engine.sh down` unmounts them.
set -euo pipefail
. "$(dirname "$0")/env.sh"
disk() { # name, size, user of the image
  mkdir -p "$MERX_DISKS/$1"
  mount -t tmpfs -o "size=$2,uid=$3,gid=$3,mode=0700" tmpfs "$MERX_DISKS/$1"
}
disk postgres 2560m 999
disk postgres-2 2560m 999
disk clickhouse 1g 101
