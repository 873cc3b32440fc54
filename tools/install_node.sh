#!/bin/sh
# Install the node tools that some tests use into build/node; does nothing when they are current.
# Where node or npm is missing, Debian's packages are installed first, which takes root or sudo.
set -eu
cd "$(dirname "$0")/.."

wanted=tools/node/package.json
folder=build/node
stamp=$folder/installed.json # a copy of what was wanted, written last

have() {
    command -v "$1" >/dev/null 2>&1
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif have sudo; then
        sudo "$@"
    else
        echo "node and npm are needed, and only root can install them: $*" >&2
        exit 1
    fi
}

if ! have node || ! have npm; then
    if ! have apt-get; then
        echo "node and npm are needed; install them, then try again" >&2
        exit 1
    fi
    echo "installing Debian's nodejs and npm"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends nodejs npm >/dev/null
fi

if cmp -s "$wanted" "$stamp"; then
    exit 0
fi

echo "installing the node tools into $folder"
mkdir -p "$folder"
rm -f "$stamp"
cp "$wanted" "$folder/package.json"
(
    cd "$folder"
    npm install --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error
)
cp "$wanted" "$stamp"
