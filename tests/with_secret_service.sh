#!/bin/sh
# Runs a command with a Secret Service of its own: tests/with_secret_service.sh pytest …
#
# The command gets a session bus, an unlocked GNOME keyring and a home that is removed afterwards; the user's own
# bus, key store and home are not touched. On macOS, which has no Secret Service, the command runs as it is.
set -eu

if [ "$#" -eq 0 ]; then
    echo "usage: tests/with_secret_service.sh COMMAND [ARGUMENT …]" >&2
    exit 64
fi
if [ "$(uname)" = Darwin ]; then
    exec "$@"
fi
for tool in dbus-run-session dbus-send gnome-keyring-daemon; do
    if ! command -v "$tool" >/dev/null 2>&1; then
        echo "$tool is missing. On Debian or Ubuntu: sudo apt-get install dbus gnome-keyring" >&2
        exit 69
    fi
done

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$home/.local/share/keyrings" "$home/.cache" "$home/.config" "$home/runtime"
chmod 700 "$home" "$home/runtime"

HOME=$home
XDG_RUNTIME_DIR=$home/runtime
XDG_DATA_HOME=$home/.local/share
XDG_CONFIG_HOME=$home/.config
XDG_CACHE_HOME=$home/.cache
export HOME XDG_RUNTIME_DIR XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME
unset DBUS_SESSION_BUS_ADDRESS GNOME_KEYRING_CONTROL PYTHON_KEYRING_BACKEND

# An empty password would leave the keyring locked.
printf 'test\n' >"$home/password"
export KEYRING_PASSWORD_FILE="$home/password"

dbus-run-session -- sh -c '
    gnome-keyring-daemon --foreground --unlock --components=secrets <"$KEYRING_PASSWORD_FILE" >/dev/null 2>&1 &
    keyring=$!
    unset KEYRING_PASSWORD_FILE
    is_ready() {
        dbus-send --session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus \
            org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets 2>/dev/null | grep -q "boolean true"
    }
    until is_ready; do
        kill -0 "$keyring" 2>/dev/null || {
            echo "gnome-keyring-daemon did not start" >&2
            exit 70
        }
        sleep 0.05
    done
    code=0
    "$@" || code=$?
    kill "$keyring" 2>/dev/null || true
    wait "$keyring" 2>/dev/null || true
    exit "$code"
' sh "$@"
