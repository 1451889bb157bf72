"""schema.py - checks JSON against a schema

Checks JSON from standard input against a schema: the part of JSON Schema that
report.schema.json uses."""

# SPDX-License-Identifier: BSD-2-Clause
import json
import sys

TYPES = {
    "object": dict, "array": list, "string": str, "boolean": bool,
    "integer": int, "null": type(None),
}


def is_of(value, name):
    if name == "integer" and isinstance(value, bool):
        return False
    return isinstance(value, TYPES[name])


def check(value, schema, root, where):
    """Yields a line for each thing that is wrong."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        yield from check(value, root["$defs"][name], root, where)
        return
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_of(value, name) for name in types):
        yield "%s: %r is no %s" % (where, value, " or ".join(types))
        return
    if "const" in schema and value != schema["const"]:
        yield "%s: %r is not %r" % (where, value, schema["const"])
    if "enum" in schema and value not in schema["enum"]:
        yield "%s: %r is none of %r" % (where, value, schema["enum"])
    if isinstance(value, dict):
        yield from check_object(value, schema, root, where)
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            yield from check(item, schema["items"], root,
                             "%s[%d]" % (where, i))


def check_object(value, schema, root, where):
    properties = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in value:
            yield "%s: there is no %s" % (where, name)
    for name, member in value.items():
        if name in properties:
            yield from check(member, properties[name], root,
                             where + "." + name)
        elif schema.get("additionalProperties", True) is False:
            yield "%s: %s is unknown" % (where, name)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    wrong = list(check(json.load(sys.stdin), schema, schema, "report"))
    for line in wrong[:20]:
        print(line)
    return 1 if wrong else 0


sys.exit(main())
