#!/usr/bin/env bash
# deploy/release/join-images.sh <folder> <tag> <name>,<name>… makes the images of all architectures one at each
# hub, named by the tag, and signs it. The folder has a file for each image, called as its digest. Prints the
# digest of what came of it, as output of a workflow's step.
set -euo pipefail
folder=$1 tag=$2
IFS=, read -ra names <<<"$3"

for name in "${names[@]}"; do
  sources=()
  for digest in "$folder"/*; do sources+=("$name@sha256:${digest##*/}"); done
  docker buildx imagetools create --tag "$name:$tag" --tag "$name:latest" "${sources[@]}" >&2
  joined=$(docker buildx imagetools inspect "$name:$tag" --format '{{.Manifest.Digest}}')
  cosign sign --yes "$name@$joined" >&2
  # The same parts make the same whole at each hub.
  [[ ${whole:=$joined} == "$joined" ]]
done
echo "digest=$whole"
