# Sourced by ./tale and ./check: gives a virtual environment that fits the sources, quietly.

# Without compiled files, every command would compile all modules anew: that takes longer than most commands.
unset PYTHONDONTWRITEBYTECODE

suitable() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    local candidate
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if suitable "$candidate"; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    echo "tale: Python 3.11 or newer is needed and was not found; install it, or set PYTHON to its path" >&2
    return 1
}

# What an installation depends on; a moved folder needs a new one too.
wanted_stamp() { printf '%s\n' "$root" "$(<"$root/pyproject.toml")" "$(<"$root/setup.py")"; }

installed() { [[ -x $venv/bin/tale && -f $venv/.stamp-$1 && $(<"$venv/.stamp-$1") == "$(wanted_stamp)" ]]; }

install() {
    local extra=$1 log=$venv/.install.log python target=.
    if ! suitable "$venv/bin/python"; then
        python=$(find_python) || return 2
        echo "tale: making a virtual environment in .venv" >&2
        mkdir -p "$venv"
        "$python" -m venv --clear "$venv" >"$root/.venv-error" 2>&1 || {
            cat "$root/.venv-error" >&2
            rm -f "$root/.venv-error"
            echo "tale: $python cannot make a virtual environment (on Debian: apt install python3-venv)" >&2
            return 2
        }
        rm -f "$root/.venv-error"
    fi
    [[ $extra == dev ]] && target='.[dev]'
    echo "tale: installing into .venv" >&2
    (cd "$root" && "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable "$target") \
        >"$log" 2>&1 || {
        tail -n 20 "$log" >&2
        echo "tale: the installation failed; the whole log is in .venv/.install.log" >&2
        return 2
    }
    wanted_stamp >"$venv/.stamp-base"
    [[ $extra == dev ]] && wanted_stamp >"$venv/.stamp-dev"
    return 0
}

# ensure base|dev: installs when something changed; one at a time where `flock` exists.
ensure() {
    venv=$root/.venv
    installed "$1" && return 0
    if command -v flock >/dev/null 2>&1; then
        exec 9>"$root/.venv.lock"
        flock 9
        if installed "$1"; then
            exec 9>&-
            return 0
        fi
    fi
    install "$1" || return 2
    exec 9>&-
}
