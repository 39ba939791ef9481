"""The entry point of `tale`: runs a command and turns whatever happens into an exit code."""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from talewright.cli.exit_codes import CLOSED_PIPE, DEFECT, INTERRUPTED, OK, WRONG_USAGE
from talewright.cli.version import VERSION

if TYPE_CHECKING:
    from click import ClickException

DEBUG_VARIABLE = "TALE_DEBUG"
SHORT = (["lint"], ["compile"])
# No room on the device, or within what a user, a file or a process may take; a device that fails; a stream that is closed.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.ENOMEM, errno.EIO, errno.EBADF)
# What limits of the shell refuse.
LIMITED = {errno.EFBIG: "-f", errno.ENOMEM: "-v"}
ISSUES = "the project's issue tracker"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `tale` with the given arguments, by default those of the process."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - lives as long as the process
    if sys.stdout is None:
        print("tale: standard output is closed", file=sys.stderr)
        return WRONG_USAGE
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _silence_stdout()
        return CLOSED_PIPE
    except OSError as problem:
        return _refused(problem, arguments)
    except KeyboardInterrupt:
        print("\ntale: stopped", file=sys.stderr)
        return INTERRUPTED
    except Exception as problem:  # noqa: BLE001 - the one place where a defect becomes an exit code
        return _defect(problem, arguments)


def entry() -> NoReturn:
    """Runs `tale` as a program. Leaves at once: freeing the memory of a large package takes time nobody needs."""
    if sys.argv[1:2] in SHORT:
        # Short commands end before garbage matters, and a collection over all nodes of a package is slow.
        gc.disable()
    # Commands build much that stays and hardly anything that only a collection frees.
    gc.set_threshold(50_000)
    code = main()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            code = code or CLOSED_PIPE
    os._exit(code)


def _run(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        # Scripts ask for the version often, so this skips the import of the command-line library.
        print(f"tale {VERSION}")
        return OK
    import click

    from talewright.cli.command_table import tale
    from talewright.cli.output import called

    if "_TALE_COMPLETE" in os.environ:
        tale.main(arguments, prog_name="tale", standalone_mode=True)
    # Not `tale.main`: that would turn a closed pipe into an exit code of its own.
    try:
        with tale.make_context(called(), arguments) as context:
            result = tale.invoke(context)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as problem:
        _show(problem)
        return WRONG_USAGE
    return result if isinstance(result, int) else OK


def _show(problem: ClickException) -> None:
    """What is wrong with the usage; on a terminal its lines end between words."""
    import shutil
    import textwrap
    from io import StringIO

    if not sys.stderr.isatty():
        problem.show(sys.stderr)
        return
    written = StringIO()
    problem.show(written)
    width = shutil.get_terminal_size((80, 24)).columns
    set_ = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    for line in written.getvalue().splitlines():
        print(set_.fill(line), file=sys.stderr)


def _refused(problem: OSError, arguments: list[str]) -> int:
    """A refusal of the system is no defect if the disk is full or the user named the file."""
    reason = (problem.strerror or "it fails").lower()
    if problem.errno in FULL:
        where = problem.filename or "standard output"
        limit = f" (`ulimit {LIMITED[problem.errno]}` shows the limit)" if problem.errno in LIMITED else ""
        print(f"tale: cannot write {where}: {reason}{limit}", file=sys.stderr)
        _silence_stdout()
        return WRONG_USAGE
    return _defect(problem, arguments)


def _defect(problem: Exception, arguments: list[str]) -> int:
    if os.environ.get(DEBUG_VARIABLE) == "1":
        import traceback

        traceback.print_exception(problem)
    else:
        text = " ".join(str(problem).split())
        print(
            f"tale: a defect of the toolkit, not of your package: {type(problem).__name__}: {text[:300]}",
            file=sys.stderr,
        )
        print(
            f"Please report it to {ISSUES}, with the version (tale {VERSION}), the command\n"
            f"(tale {' '.join(arguments)[:300]}) and what it prints with {DEBUG_VARIABLE}=1 set.",
            file=sys.stderr,
        )
    return DEFECT


def _silence_stdout() -> None:
    """Redirects standard output to the null device, so that the last flush cannot fail again."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - lives as long as the process
