"""The JSON Schema files of the actions and the export API, and a validator that says what is wrong with a value and what to do."""

from ._validator import BASE, InvalidError, Problem, Validator, names, schema, text

__all__ = ["BASE", "InvalidError", "Problem", "Validator", "names", "schema", "text"]
