"""Writes the shapes of the package's reply classes as data: python schema.py > schema-<package>-<version>.json

For every class that a reply can be built into: its fields in order, each with its type, and nothing else; a long union
that stands in several places is written once. Where the package has them, the exception classes of
statuses, and of the codes that a reply may name with them, are written too. The emulation walks these tables as the
package walks its annotations. The package in the interpreter's environment is read.
"""

import collections
import datetime
import inspect
import json
import types
import typing
from typing import Annotated, Literal, Union, get_args, get_origin

import pydantic

from package import held

SCALARS = {str: "str", int: "int", float: "float", bool: "bool", datetime.datetime: "datetime", object: "any", type(None): "none"}

classes: "dict[str, dict[str, object]]" = {}
named: "dict[str, type]" = {}


def described(type_, metadata=()):
    """A type as data: a scalar's name, "@" and a class's key, or an object with one of literal, list, dict, union."""
    if get_origin(type_) is Annotated:
        type_, *metadata = get_args(type_)
    origin = get_origin(type_)
    if origin in (Union, types.UnionType):
        members = [described(a) for a in get_args(type_)]
        out = {"union": members}
        if not any(m in SCALARS.values() for m in members if isinstance(m, str)):
            out["repr"] = str(type_)  # told where no member takes a value; a scalar takes any
        plain = [d for a, d in zip(get_args(type_), members) if not held.models.is_basemodel_type(a)]
        if hasattr(held.models, "is_list_type") and any(isinstance(d, dict) and "list" in d for d in plain):
            out["listed"] = plain
        tagged = held.models._build_discriminated_union_meta(union=type_, meta_annotations=tuple(metadata))
        if tagged is not None:
            out["by"] = tagged.field_alias_from or tagged.field_name
            out["to"] = {tag: described(variant) for tag, variant in sorted(tagged.mapping.items())}
        return out
    if origin is Literal:
        assert all(type(a) is str for a in get_args(type_)), type_
        return {"literal": list(get_args(type_))}
    if origin is list:
        return {"list": described(get_args(type_)[0])}
    if origin is dict:
        assert get_args(type_)[0] is str, type_
        return {"dict": described(get_args(type_)[1])}
    if isinstance(type_, typing.TypeVar):
        return "any"
    if inspect.isclass(type_) and issubclass(type_, pydantic.BaseModel):
        return "@" + class_key(type_)
    return SCALARS[type_]


def class_key(cls):
    key = cls.__module__.rpartition(".")[2] + "." + cls.__name__
    assert named.setdefault(key, cls) is cls, key
    if key in classes:
        return key
    cls.model_rebuild()
    assert cls.model_config.get("extra") == "allow" and held.models._get_extra_fields_type(cls) is None, cls
    classes[key] = shape = {"fields": []}
    for name, field in cls.model_fields.items():
        assert field.get_default() is None or field.is_required(), (cls, name)
        entry = {"name": name, "type": described(field.annotation, field.metadata)}
        if field.alias is not None:
            entry["alias"] = field.alias
        if field.is_required():
            entry["required"] = True
        if field.exclude:
            entry["undumped"] = True
        shape["fields"].append(entry)
    return key


SHORT = 60


def shared(tree):
    """The tree with a name in the place of each long union that it holds more than once, and those unions by name."""
    counts = collections.Counter()
    names, unions = {}, {}

    def count(node):
        if isinstance(node, dict):
            if "union" in node:
                counts[json.dumps(node)] += 1
            node = list(node.values())
        if isinstance(node, list):
            for entry in node:
                count(entry)

    def replaced(node):
        if isinstance(node, list):
            return [replaced(entry) for entry in node]
        if not isinstance(node, dict):
            return node
        text = json.dumps(node)
        if counts[text] < 2 or len(text) < SHORT:
            return {k: replaced(v) for k, v in node.items()}
        if text not in names:
            names[text] = f"#{len(names) + 1}"
            unions[names[text]] = {k: replaced(v) for k, v in node.items()}
        return names[text]

    count(tree)
    return replaced(tree), unions


def main():
    roots = {name: described(root) for name, root in held.ROOTS.items()}
    (roots, shapes), unions = shared([roots, {k: classes[k] for k in sorted(classes)}])
    compact = {"separators": (",", ":")}
    print("{")
    print(f'"package": "{held.NAME} {held.VERSION}",')
    print('"roots": {\n' + ",\n".join(f"{json.dumps(k)}: {json.dumps(v, **compact)}" for k, v in roots.items()) + "\n},")
    print('"unions": {\n' + ",\n".join(f"{json.dumps(k)}: {json.dumps(v, **compact)}" for k, v in unions.items()) + "\n},")
    if hasattr(held, "errors"):
        print('"errors": {\n' + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in held.errors().items()) + "\n},")
    print('"classes": {')
    print(",\n".join(f"{json.dumps(k)}: {json.dumps(v, **compact)}" for k, v in shapes.items()))
    print("}\n}")


if __name__ == "__main__":
    main()
