"""Things with several faces: the face that is up answers for the fields written there, the thing for the others."""

from __future__ import annotations

from talewright.runtime.ir.build import const, equal, load
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.start import write_first
from talewright.runtime.model.constants import first_value
from talewright.runtime.model.world import Thing
from talewright.schemas.nodes.things import Face

# The id of a side that has no letter.
FRONT = ""


def faced(program: Program) -> list[Thing]:
    """The things that have several faces."""
    return [t for t in program.world.things if t.declaration is not None and t.declaration.faces]


def sides_of(thing: Thing) -> tuple[Face, ...]:
    """The faces of a thing; one that names a single face shows what it says itself on the other side."""
    assert thing.declaration is not None
    faces = thing.declaration.faces
    return (Face(FRONT), *faces) if len(faces) == 1 else faces


def _letter(program: Program, face: Face) -> int:
    """The letter of a face; a side without one has none."""
    return 0 if face.id == FRONT else program.layout.word(face.id)


def lay_out_faces(program: Program, code: Code) -> None:
    """Cells for the letter of the face that is up; the first face is up when a game begins."""
    names, layout = program.layout.names, program.layout
    column = [0] * layout.width
    for thing in faced(program):
        column[thing.number] = 1
    names["FACES"] = layout.fixed(column)
    if not faced(program):
        return
    names["FACE_WORD"] = layout.reserve([0] * layout.width)
    for thing in faced(program):
        _show(program, code, thing, const(thing.number), sides_of(thing)[0])


def _show(program: Program, code: Code, thing: Thing, number: Expression, face: Face) -> None:
    """Writes the fields of a face of a thing, or of a copy of it; what the face does not say is what the thing says."""
    assert thing.declaration is not None
    names = program.layout.names
    code.put(number, _letter(program, face), names["FACE_WORD"])
    fields = program.world.fields_of(thing.kind)
    said = {name for other in thing.declaration.faces for name in other.fields or {}}
    for name in sorted(said):
        field = fields[name]
        given = (face.fields or {}).get(name)
        node = first_value(program.world, thing, field) if given is None else given
        write_first(program, code, number, field, node)


def turn_face(code: Code) -> None:
    """turn_face(thing): the face behind the one that is up comes up."""
    program = code.program
    for thing in faced(program):
        mine = equal(Local(0), thing.number)
        if thing.copy <= 1 and program.world.can_be_made(thing.sort):
            mine = equal(load(Local(0), code.names["SORT"]), program.sort_number(thing.sort))
        with code.if_(mine):
            faces = sides_of(thing)
            now = code.hold(load(Local(0), code.names["FACE_WORD"]))
            for face, following in zip(faces, (*faces[1:], faces[0]), strict=True):
                with code.if_(equal(now, _letter(program, face))):
                    _show(program, code, thing, Local(0), following)
                    code.go(code.exit)
