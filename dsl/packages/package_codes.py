"""The findings about packages: code, readable name, weight, reason and samples."""

from __future__ import annotations

from talewright.dsl.diagnostics import Diagnostic, Label, Severity
from talewright.dsl.source import Span
from talewright.schemas.records import record


@record(frozen=True)
class CodeInfo:
    """What `tale explain` says about a code."""

    code: str
    name: str
    severity: Severity
    why: str
    good: str
    bad: str


_GOOD_MANIFEST = 'name = "the_long_night"\nversion = "0.1.0"\ntitle = "The Long Night"\ntype = "system"\n'

_ALL = (
    CodeInfo(
        "P001",
        "path-not-found",
        "error",
        "A path is a package folder, a file inside one, or the name of a bundled package. "
        "Nothing of these exists under the name given.",
        "tale lint my_game",
        "tale lint my_gmae",
    ),
    CodeInfo(
        "P002",
        "not-a-package",
        "error",
        "A package is a folder with a `tale.toml`. Neither this folder nor one above it has one.",
        "my_game/tale.toml\nmy_game/story.tale",
        "my_game/story.tale",
    ),
    CodeInfo(
        "P003",
        "unreadable",
        "error",
        "A file or folder of the package cannot be opened: rights are missing, it is no ordinary file, "
        "or the disk failed.",
        "chmod a+r my_game/story.tale",
        "chmod a-r my_game/story.tale",
    ),
    CodeInfo(
        "P004",
        "manifest-not-toml",
        "error",
        "`tale.toml` is read as TOML 1.0; this text is not.",
        'title = "The Long Night"',
        "title = The Long Night",
    ),
    CodeInfo(
        "P005",
        "manifest-unknown-key",
        "error",
        "A key that nothing reads is nearly always a misspelt one, and would be ignored in silence.",
        'title = "The Long Night"',
        'titel = "The Long Night"',
    ),
    CodeInfo(
        "P006",
        "manifest-wrong-value",
        "error",
        "Each key of `tale.toml` has its own form; this value does not have it.",
        'type = "adventure"',
        'type = "story"',
    ),
    CodeInfo(
        "P007",
        "manifest-missing-key",
        "error",
        "A package says at least its name, version, title and type.",
        _GOOD_MANIFEST,
        'name = "the_long_night"\n',
    ),
    CodeInfo(
        "P008",
        "unknown-language-version",
        "error",
        "`tale` is the version of the language the package is written in. A newer one may mean other things "
        "by the same words, so it is refused rather than guessed at.",
        "tale = 1",
        "tale = 99",
    ),
    CodeInfo(
        "P009",
        "wrong-use",
        "error",
        "An entry of `uses` is the name of a package and, if wanted, a range of versions.",
        'uses = ["the_long_night >=0.1, <1"]',
        'uses = ["the_long_night about 0.1"]',
    ),
    CodeInfo(
        "P010",
        "package-missing",
        "error",
        "A package that is used must be found: beside this package, inside it, on the search path, "
        "or among the bundled ones.",
        'uses = ["the_long_night"]',
        'uses = ["the_long_nigth"]',
    ),
    CodeInfo(
        "P011",
        "package-version-mismatch",
        "error",
        "The package was found, but in no version that the range allows.",
        'uses = ["the_long_night >=0.1"]',
        'uses = ["the_long_night >=7"]',
    ),
    CodeInfo(
        "P012",
        "package-cycle",
        "error",
        "Packages that use each other in a ring have no order in which to be read.",
        "# a/tale.toml\nuses = []\n# b/tale.toml\nuses = ['a']",
        "# a/tale.toml\nuses = ['b']\n# b/tale.toml\nuses = ['a']",
    ),
    CodeInfo(
        "P013",
        "uses-an-adventure",
        "error",
        "Only systems can be used: an adventure is one particular story, not a vocabulary for others.",
        'uses = ["the_long_night"]  # a system',
        'uses = ["a_winter_tale"]  # an adventure',
    ),
    CodeInfo(
        "P014",
        "adventure-without-system",
        "error",
        "An adventure is written in the words of one system, so it names exactly one in `uses`.",
        'type = "adventure"\nuses = ["the_long_night"]',
        'type = "adventure"\nuses = []',
    ),
    CodeInfo(
        "P015",
        "package-used-twice",
        "error",
        "One entry of `uses` is enough for each package; two may contradict each other.",
        'uses = ["the_long_night >=0.1, <1"]',
        'uses = ["the_long_night >=0.1", "the_long_night <1"]',
    ),
    CodeInfo(
        "P016",
        "two-packages-of-one-name",
        "warning",
        "Two packages of one name lie equally near, so which one is used depends on the order of "
        "their folders.",
        "system/tale.toml\nadventure/tale.toml",
        "system/tale.toml\ncopy_of_system/tale.toml\nadventure/tale.toml",
    ),
    CodeInfo(
        "P017",
        "link-leaves-package",
        "error",
        "A package must mean the same wherever it is copied, and must not read files that are none of its "
        "own. A link to a place outside its folder breaks both.",
        "cards/night.tale -> ../night.tale",
        "cards/night.tale -> /etc/hosts",
    ),
    CodeInfo(
        "P018",
        "file-too-large",
        "error",
        "A text of this size was not written by hand; reading it would only cost time and memory.",
        "cards_1.tale  1 MB\ncards_2.tale  1 MB",
        "cards.tale  200 MB",
    ),
    CodeInfo(
        "P019",
        "package-too-large",
        "error",
        "The package holds more text, more files or deeper folders than a package of a game ever has.",
        "my_game/tale.toml",
        "/tale.toml",
    ),
    CodeInfo(
        "P020",
        "binary-file",
        "error",
        "The file holds NUL bytes: it is no text, whatever its name says.",
        "story.tale",
        "picture.png renamed to story.tale",
    ),
    CodeInfo(
        "P021",
        "not-utf-8",
        "error",
        "Tale text is UTF-8. In another encoding the same bytes are other letters.",
        "caf\u00e9 stored as UTF-8",
        "caf\u00e9 stored as Latin-1",
    ),
    CodeInfo(
        "P022",
        "byte-order-mark",
        "info",
        "The file begins with a byte order mark. UTF-8 needs none; it is left out of the text.",
        "a file saved as UTF-8",
        "a file saved as `UTF-8 with BOM`",
    ),
    CodeInfo(
        "P023",
        "no-tale-files",
        "warning",
        "A package without a single `.tale` file says nothing.",
        "my_game/tale.toml\nmy_game/story.tale",
        "my_game/tale.toml",
    ),
    CodeInfo(
        "P024",
        "empty-file",
        "info",
        "A file without a single word says nothing: it was forgotten, or something went wrong when it was saved.",
        "# Rooms come here.\n",
        "\n",
    ),
)

PACKAGE_CODES: dict[str, CodeInfo] = {info.code: info for info in _ALL}

# Findings that mean "the input cannot be read at all", as opposed to "it is wrong".
UNREADABLE = frozenset({"P001", "P002", "P003"})


def finding(
    code: str, message: str, span: Span, *, help: str = "", labels: tuple[Label, ...] = ()
) -> Diagnostic:
    """A finding about a package, with the name and weight its code has."""
    info = PACKAGE_CODES[code]
    return Diagnostic(code, info.name, info.severity, message, span, help, labels)


def start_of(file: str) -> Span:
    """The first character of a file, for findings about the whole file."""
    return Span(file, 1, 1, 1, 1)
