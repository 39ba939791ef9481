"""Things with several faces: the face that is up answers for the fields written there, the thing for the others."""

from __future__ import annotations

from talewright.runtime.ir.build import cell, const, equal, set_cell
from talewright.runtime.ir.nodes import Branch, Function, Local
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.start import write_first
from talewright.runtime.model.constants import first_value
from talewright.runtime.model.world import Thing
from talewright.schemas.nodes.things import Face


def faced(program: Program) -> list[Thing]:
    """The things that have several faces."""
    return [t for t in program.world.things if t.declaration is not None and t.declaration.faces]


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
        assert thing.declaration is not None
        _show(program, code, thing, thing.declaration.faces[0])


def _show(program: Program, code: Code, thing: Thing, face: Face) -> None:
    """Writes the fields of a face; what it does not say is what the thing says."""
    assert thing.declaration is not None
    names = program.layout.names
    code.emit(set_cell(names["FACE_WORD"] + thing.number, const(program.layout.word(face.id))))
    fields = program.world.fields_of(thing.kind)
    said = {name for other in thing.declaration.faces for name in other.fields or {}}
    for name in sorted(said):
        field = fields[name]
        given = (face.fields or {}).get(name)
        write_first(
            program, code, thing, field, first_value(program.world, thing, field) if given is None else given
        )


def turn_face_function(program: Program) -> Function:
    """turn_face(thing): the next face comes up."""
    code = program.code("turn_face", 1, gives=False)
    names = program.layout.names
    for thing in faced(program):
        assert thing.declaration is not None
        faces = thing.declaration.faces

        def turn(thing: Thing = thing, faces: tuple[Face, ...] = faces) -> None:
            now = code.hold(cell(names["FACE_WORD"] + thing.number))
            for face, following in zip(faces, (*faces[1:], faces[0]), strict=True):

                def show(following: Face = following) -> None:
                    _show(program, code, thing, following)
                    code.emit(Branch(code.exit))

                code.when(equal(now, const(program.layout.word(face.id))), show)

        code.when(equal(Local(0), const(thing.number)), turn)
    return code.function()
