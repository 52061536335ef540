"""JSON Schema, draft 2020-12, of a type: its fields, their docstrings, nothing by hand."""

from __future__ import annotations

import ast
import inspect
import json
import sys
import textwrap
import types
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints, is_typeddict

from harness.places import ROOT
from msgspec import Meta

from leadline.report.formats.json_text import FORMAT
from leadline.report.programs.calibrated import CalibratedContent
from leadline.report.programs.compared import ComparedContent
from leadline.report.programs.fitted import FittedContent
from leadline.report.programs.health import HealthContent
from leadline.report.programs.history import HistoryContent
from leadline.report.programs.hosts import DoctorContent, HostsContent
from leadline.report.programs.mapping import GridsContent, MappingContent, SharingContent
from leadline.report.programs.measured import MeasuredContent
from leadline.report.programs.patterns import PatternsContent
from leadline.report.programs.predicted import PredictedContent, ProgramContent
from leadline.report.programs.reproduced import ReproducedContent
from leadline.report.programs.selection import BlocksContent, SelectionContent
from leadline.report.programs.study import StudiesContent, StudyContent
from leadline.report.programs.trace import TracesContent

Schema = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
PUBLISHED = ROOT / "docs" / "schemas"
FORMAT_SAID = "Raised where a key that was is gone, or says something else."
PLAIN: Mapping[object, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    types.NoneType: {"type": "null"},
    Any: {},
}


def schemas() -> Mapping[str, Schema]:
    """By the name of the published file, for every command that has --json."""
    return {
        "calibrate": document("leadline calibrate --json", CalibratedContent),
        "compare": document("leadline compare --json", ComparedContent),
        "dims": document("leadline dims --json", GridsContent),
        "health": document("leadline health --json", HealthContent),
        "doctor": document("leadline doctor --json", DoctorContent),
        "export": document("leadline export --json", BlocksContent),
        "fit": document("leadline fit --json", FittedContent),
        "history": document("leadline history --json", HistoryContent),
        "hosts": document("leadline hosts list --json", HostsContent),
        "map": document("leadline map --json", MappingContent),
        "map-jobs": document("leadline map --job ... --json", SharingContent),
        "patterns": document("leadline patterns --json", PatternsContent),
        "predict": document("leadline predict --pattern P --json", PredictedContent),
        "predict-work": document("leadline predict MODEL --work TIME --json", ProgramContent),
        "reproduce": document("leadline reproduce --json", ReproducedContent),
        "show": document("leadline show --json", MeasuredContent),
        "simulate": document("leadline simulate --json", MeasuredContent),
        "sql": document("leadline sql --json", SelectionContent),
        "studies": document("leadline study --json", StudiesContent),
        "study": document("leadline study NAME --json", StudyContent),
        "trace": document("leadline trace --json", TracesContent),
    }


def heading(title: str, description: str) -> Schema:
    return {"$schema": DRAFT, "title": title, "description": description}


def document(title: str, content: type) -> Schema:
    """The schema of a whole document; types that it refers to stand below "$defs"."""
    definitions: dict[str, type] = {}
    found = versioned(fields_of(content, definitions))
    described: dict[str, Schema] = {}
    while waiting := [name for name in definitions if name not in described]:
        for name in waiting:
            described[name] = fields_of(definitions[name], definitions)
    whole = heading(title, found.pop("description")) | found
    return whole | {"$defs": dict(sorted(described.items()))}


def fields_of(content: type, definitions: dict[str, type]) -> Schema:
    """An object with a property a field and no other; `definitions` gains what it refers to."""
    text = docstrings(content)
    properties = {
        name: schema_of(kind, definitions) | ({"description": text[name]} if name in text else {})
        for name, kind in get_type_hints(content, include_extras=True).items()
    }
    required = getattr(content, "__required_keys__", properties)
    first = inspect.cleandoc(content.__doc__ or "").split("\n\n")[0]
    return {"description": " ".join(first.split())} | closed(properties, required)


def versioned(found: Schema) -> Schema:
    """The object `found` behind the number of its format, which every command's begins with."""
    number = {"const": FORMAT, "description": FORMAT_SAID}
    properties = {"format": number} | found["properties"]
    return found | {"properties": properties, "required": ["format", *found["required"]]}


def closed(properties: Mapping[str, Schema], required: Any) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [name for name in properties if name in required],
        "additionalProperties": False,
    }


def schema_of(kind: Any, definitions: dict[str, type]) -> Schema:
    """The schema of one value; TypeError: JSON has no such type."""
    if get_origin(kind) is Annotated:
        return composed(Annotated, (kind.__origin__, *kind.__metadata__), definitions)
    if kind in PLAIN:
        return dict(PLAIN[kind])
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return {"enum": [str(member) for member in kind]}
    if is_typeddict(kind) or is_dataclass(kind):
        if definitions.setdefault(kind.__name__, kind) is not kind:
            raise TypeError(f"two types are called {kind.__name__}")
        return {"$ref": f"#/$defs/{kind.__name__}"}
    return composed(get_origin(kind), get_args(kind), definitions)


def composed(origin: Any, arguments: Sequence[Any], definitions: dict[str, type]) -> Schema:
    """The schema of a type made of others, or of one within bounds."""
    if origin is Annotated:
        kind, bounds = arguments
        assert isinstance(bounds, Meta)
        limits = {"minimum": bounds.ge, "maximum": bounds.le}
        return schema_of(kind, definitions) | {k: v for k, v in limits.items() if v is not None}
    if origin in (Union, types.UnionType):
        return any_of([schema_of(one, definitions) for one in arguments])
    if origin in (list, tuple, Sequence):
        return {"type": "array", "items": schema_of(arguments[0], definitions)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": schema_of(arguments[1], definitions)}
    raise TypeError(f"{origin} of {arguments} has no schema")


def any_of(found: Sequence[Schema]) -> Schema:
    """One of several; plain types in one list."""
    if all(set(one) == {"type"} for one in found):
        return {"type": [one["type"] for one in found]}
    return {"anyOf": list(found)}


@cache
def docstrings(content: type) -> Mapping[str, str]:
    """What stands below each field in the source, also of the classes that it extends."""
    try:
        source = inspect.getsource(content)
    except OSError:  # made by a call, which says nothing of its keys
        return {}
    (definition,) = ast.parse(textwrap.dedent(source)).body
    assert isinstance(definition, ast.ClassDef)
    found: dict[str, str] = {}
    for base in definition.bases:  # a TypedDict of Python 3.11 itself doesn't know them
        known = vars(sys.modules[content.__module__]).get(getattr(base, "id", ""))
        found |= docstrings(known) if is_typeddict(known) else {}
    before: ast.stmt | None = None
    for statement in definition.body:
        match before, statement:
            case ast.AnnAssign(ast.Name(name)), ast.Expr(ast.Constant(str() as text)):
                found[name] = " ".join(text.split())
        before = statement
    return found


def text_of(schema: Schema) -> str:
    return json.dumps(schema, indent=2) + "\n"


def published(name: str) -> Schema:
    """The schema as the documentation has it."""
    found: Schema = json.loads((PUBLISHED / f"{name}.json").read_text())
    return found


def check(name: str, printed: str) -> None:
    """Fails with jsonschema.ValidationError where `printed` isn't what `name` promises."""
    import jsonschema

    jsonschema.Draft202012Validator(published(name)).validate(json.loads(printed))
