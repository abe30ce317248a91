#!/bin/sh
# Installs Wield and what its sandbox needs. Node 24 must be there: add the feature "node" with version 24.
set -eu
if ! command -v npm >/dev/null 2>&1; then
  echo "wield: npm is missing; add the feature ghcr.io/devcontainers/features/node with version 24" >&2
  exit 1
fi
if command -v apt-get >/dev/null 2>&1; then
  apt-get update
  apt-get install -y --no-install-recommends bubblewrap git util-linux
  rm -rf /var/lib/apt/lists/*
fi
npm install --global "wield@${VERSION:-latest}"
