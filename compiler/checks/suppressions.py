"""Pages about comments that allow a finding, and about the `[lint]` table; `allowed_findings.py` looks at them."""

from __future__ import annotations

from talewright.compiler.checks.check import Check

WITHOUT_REASON = Check(
    code="L706",
    name="allowed-without-reason",
    severity="warning",
    why="""A comment `# tale: allow CODE reason` hides a finding on its line (or, alone on a line,
    on the next one). The reason is for whoever reads the line later and wonders whether it still holds.""",
    bad="""
    kind Old_Coin  # tale: allow L703  # <-
    Old_Coin penny "Penny"
    """,
    good="""
    kind Old_Coin  # tale: allow L703 the printed rules spell it so
    Old_Coin penny "Penny"
    """,
)

NOT_UNDERSTOOD = Check(
    code="L707",
    name="allowed-unknown",
    severity="warning",
    why="""A comment that begins with `tale:` speaks to the toolkit: `# tale: allow CODE reason` for
    one line, `# tale: allow-file CODE reason` above the first declaration for a whole file. This one
    names a code that does not exist, an error that must be mended rather than allowed, or says
    something else.""",
    bad="""
    kind OldCoin  # tale: allow L999 the printed rules spell it so  # <-
    OldCoin penny "Penny"
    """,
    good="""
    kind Old_Coin  # tale: allow L703 the printed rules spell it so
    Old_Coin penny "Penny"
    """,
)

UNUSED = Check(
    code="L708",
    name="allowed-for-nothing",
    severity="warning",
    why="""Nothing is found here any more that the comment would hide. Left in place it would hide
    the next mistake of that kind without anybody having decided so.""",
    bad="""
    kind OldCoin  # tale: allow L703 the printed rules spell it so  # <-
    OldCoin penny "Penny"
    """,
    good="""
    kind OldCoin
    OldCoin penny "Penny"
    """,
)

WRONG_SETTING = Check(
    code="L709",
    name="wrong-lint-setting",
    severity="warning",
    why="""The table `[lint]` of `tale.toml` gives findings another severity, by code: "error",
    "warning", "info" or "off". A code that does not exist changes nothing; and what keeps a package
    from compiling stays an error.""",
    bad="""
    [lint]
    L999 = "off"
    """,
    good="""
    [lint]
    L704 = "off"
    """,
)

CHECKS = (WITHOUT_REASON, NOT_UNDERSTOOD, UNUSED, WRONG_SETTING)
