#!/bin/sh
# Builds the image with docker or podman, starts it, and waits until it is ready:
#
#   deploy/image.sh [options of "run", such as --env-file .env]
#
# Variables: CONTAINER_TOOL (docker or podman), IMAGE and NAME (both patchbay), PORT (3000).
# The container has a read-only root, no capabilities, and its data in the volume patchbay-data.
set -eu

tool=${CONTAINER_TOOL:-}
for candidate in docker podman; do
  if [ -z "$tool" ] && command -v "$candidate" >/dev/null 2>&1 && "$candidate" info >/dev/null 2>&1; then
    tool=$candidate
  fi
done
if [ -z "$tool" ]; then
  echo "Neither docker nor podman works here. Install one, or set CONTAINER_TOOL." >&2
  exit 2
fi

image=${IMAGE:-patchbay}
name=${NAME:-patchbay}
port=${PORT:-3000}

# In Docker's format also with podman: the other one has no health check.
case $tool in
  *podman) "$tool" build --format docker --tag "$image" "$(dirname "$0")/.." ;;
  *) "$tool" build --tag "$image" "$(dirname "$0")/.." ;;
esac

# After a stop, the process has a minute to finish what is running.
"$tool" run --detach --name "$name" \
  --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
  --stop-timeout 60 --volume "$name-data:/data" --publish "127.0.0.1:$port:3000" \
  "$@" "$image"

waited=0
until "$tool" exec "$name" node -e "fetch('http://127.0.0.1:3000/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"; do
  waited=$((waited + 1))
  if [ "$waited" -ge 60 ] || [ "$("$tool" inspect --format '{{.State.Running}}' "$name")" != true ]; then
    echo "It did not become ready. Its log:" >&2
    "$tool" logs --tail 50 "$name" >&2
    exit 1
  fi
  sleep 1
done

echo "Patchbay is ready at http://127.0.0.1:$port"
echo "The password and the keys of the first start: $tool exec $name cat /data/first-run.json"
