#!/bin/sh
# Prints new secrets for deploy/compose.yaml and deploy/kubernetes. Keep them: without MASTER_KEY, stored secrets cannot
# be read. POSTGRES_PASSWORD and STORE_PASSWORD are for the servers of deploy/compose.yaml.
set -eu

secret() { openssl rand -hex 32; }

cat <<SETTINGS
AUTH_SECRET=$(secret)
MASTER_KEY=$(secret)
OPERATOR_TOKEN=$(secret)
BOOTSTRAP_OWNER_EMAIL=${BOOTSTRAP_OWNER_EMAIL:-owner@patchbay.local}
BOOTSTRAP_OWNER_PASSWORD=$(secret)
POSTGRES_PASSWORD=$(secret)
STORE_PASSWORD=$(secret)
SETTINGS
