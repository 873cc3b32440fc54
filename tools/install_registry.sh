#!/bin/sh
# Install the registry tools that some tests use: skopeo, and docker-registry for build/registry.
# Does nothing where both are there; else takes them from Debian, which takes root or sudo for skopeo.
# docker-registry is only unpacked: its package would start a server that listens everywhere.
set -eu
cd "$(dirname "$0")/.."

folder=build/registry

have() {
    command -v "$1" >/dev/null 2>&1
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif have sudo; then
        sudo "$@"
    else
        echo "skopeo is needed, and only root can install it: $*" >&2
        exit 1
    fi
}

needs_skopeo=$(have skopeo || echo yes)
needs_registry=$(have docker-registry || [ -x $folder/docker-registry ] || echo yes)
if [ -z "$needs_skopeo$needs_registry" ]; then
    exit 0
fi
if ! have apt-get; then
    echo "skopeo and docker-registry are needed; install them, then try again" >&2
    exit 1
fi
as_root apt-get update -qq

if [ -n "$needs_skopeo" ]; then
    echo "installing Debian's skopeo"
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends skopeo >/dev/null
fi

if [ -n "$needs_registry" ]; then
    echo "unpacking Debian's docker-registry into $folder"
    rm -rf $folder
    mkdir -p $folder
    (
        cd $folder
        apt-get download -qq docker-registry
        dpkg-deb -x docker-registry_*.deb unpacked
        mv unpacked/usr/bin/docker-registry .
        rm -r unpacked docker-registry_*.deb
    )
fi
