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
wanted_stamp() { printf '%s\n' "$root" "$(<"$root/pyproject.toml")" "$(<"$root/setup.py")" "$(<"$root/$(lock_of "$1")")"; }

installed() { [[ -x $venv/bin/tale && -f $venv/.stamp-$1 && $(<"$venv/.stamp-$1") == "$(wanted_stamp "$1")" ]]; }

lock_of() { if [[ $1 == dev ]]; then echo requirements-dev.lock; else echo requirements.lock; fi; }

# Few tries: without a network the answer comes soon.
pip_install() { (cd "$root" && "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --timeout 20 --retries 2 "$@"); }

# Exactly the packages of the lock file, each with a hash that it must have; then the sources themselves.
install_locked() {
    pip_install --require-hashes --requirement "$(lock_of "$1")" &&
        pip_install --no-deps --no-build-isolation --editable . &&
        "$venv/bin/python" -m pip check --disable-pip-version-check
}

install_unlocked() { if [[ $1 == dev ]]; then pip_install --editable '.[dev]'; else pip_install --editable .; fi; }

# Says why an installation failed, from its log; whether it is worth trying again without the lock file.
explain_failure() {
    local log=$1 lock=$2
    if grep -qiE 'do not match the hashes' "$log"; then
        tail -n 20 "$log" >&2
        echo "tale: a package is not the one that $lock names, so nothing was installed" >&2
        return 1
    elif grep -qiE 'connection|retrying|timed? ?out|name resolution|proxy' "$log"; then
        echo "tale: the package index cannot be reached; the first run needs a network (the log is .venv/.install.log)" >&2
        return 1
    fi
    echo "tale: $lock does not fit this Python or system; trying the newest packages instead, without hashes" >&2
}

install() {
    local extra=$1 log=$venv/.install.log python
    if ! suitable "$venv/bin/python"; then
        python=$(find_python) || return 2
        echo "tale: making a virtual environment in .venv; then packages are installed from the package index, which needs a network" >&2
        mkdir -p "$venv"
        "$python" -m venv --clear "$venv" >"$root/.venv-error" 2>&1 || {
            cat "$root/.venv-error" >&2
            rm -f "$root/.venv-error"
            echo "tale: $python cannot make a virtual environment (on Debian: apt install python3-venv)" >&2
            return 2
        }
        rm -f "$root/.venv-error"
    fi
    echo "tale: installing the packages of $(lock_of "$extra") into .venv, from the package index; this happens once" >&2
    if ! install_locked "$extra" >"$log" 2>&1; then
        explain_failure "$log" "$(lock_of "$extra")" || return 2
        install_unlocked "$extra" >"$log" 2>&1 || {
            tail -n 20 "$log" >&2
            echo "tale: the installation failed; the whole log is in .venv/.install.log" >&2
            return 2
        }
    fi
    wanted_stamp base >"$venv/.stamp-base"
    [[ $extra == dev ]] && wanted_stamp dev >"$venv/.stamp-dev"
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
