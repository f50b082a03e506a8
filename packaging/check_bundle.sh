#!/usr/bin/env bash
# Proves that the bundle works on a computer that has nothing of ours: no Python, an empty home, no display.
set -euo pipefail
cd "$(dirname "$0")/.."

program="dist/keepsake/keepsake"
[ -x "$program" ] || { echo "There is no bundle; make bundle builds one." >&2; exit 1; }

place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT
mkdir "$place/home" "$place/bin"

bare=(env -i HOME="$place/home" PATH="$place/bin" QT_QPA_PLATFORM=offscreen LANG=C.UTF-8)

"${bare[@]}" "$PWD/$program" --version
"${bare[@]}" "$PWD/$program" --self-test

echo "start and end"
"${bare[@]}" KEEPSAKE_HOME="$place/app" "$PWD/$program" 2>"$place/errors" &
window=$!
for _ in $(seq 100); do
    [ -e "$place/app/logs/keepsake.log" ] && break
    sleep 0.2
done
kill -TERM "$window"
code=0
wait "$window" || code=$?
if [ "$code" -ne 0 ] || [ -s "$place/errors" ]; then
    echo "The window ended with code $code and said:" >&2
    cat "$place/errors" >&2
    exit 1
fi

unwanted="$(find dist/keepsake \( -name 'torch*' -o -name 'transformers*' -o -name 'sentence_transformers*' \
    -o -name 'scipy*' -o -name 'sklearn*' -o -name 'libgtk*' \) -print -quit)"
if [ -n "$unwanted" ]; then
    echo "The bundle carries what it should not: $unwanted" >&2
    exit 1
fi
echo "size: $(du -sm dist/keepsake | cut -f1) MB"
