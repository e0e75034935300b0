/**
 * Validation of input. Services validate by themselves, so that hosts without HTTP have the same limits: a value of the
 * right type may still be too long, ill-formed, or come from an untyped caller. Validated input has known fields only:
 * an unknown field is an error that suggests the field with the most similar name. Over HTTP, unknown fields are ignored
 * before the service is called.
 */
import { Effect, Result, Schema, type SchemaAST, SchemaIssue } from "effect"

const maxIssues = 20

/** Message of a union member for values of another member. The issues of the other member are reported instead. */
export const foreignFieldMessage = "Expected what belongs to this type"

type StandardIssue = ReturnType<typeof format>["issues"][number]

/** Starts the message of an unknown field. The names of the known fields follow, until `withFieldSuggestion`. */
const unknownField = "Unknown field"

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) =>
    issue._tag === "UnexpectedKey"
      ? [unknownField, ...fieldNames(issue.ast)].join(" ")
      : SchemaIssue.defaultLeafHook(issue)
})

const fieldNames = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []

/** Validation issues. Each has the path of the value, as in `title` or `changes[3].into`. */
export const Issues = Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))

/** Raised if input is invalid. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()(
  "InvalidInput",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    const [issue] = this.issues
    if (issue === undefined) return "The input can't be accepted"
    const { path, message } = issue
    return `The input can't be accepted: ${path === "" ? "" : `${path}: `}${message}`
  }
}

/**
 * Returns a validator for a schema, to be created once: `const accept = accepting(SpacePatch)`. `basePath` is the path
 * of the value in the request if it is not the body. Only input from a request that was not decoded ignores unknown
 * fields.
 */
export const accepting = <S extends Schema.Top & { readonly DecodingServices: never }>(
  schema: S,
  basePath = "",
  unknownFields: "error" | "ignore" = "error"
) => {
  const decode = Schema.decodeUnknownResult(Schema.toType(schema))
  return (value: S["Type"]): Effect.Effect<S["Type"], InvalidInput> => {
    const result = decode(value, { onExcessProperty: unknownFields })
    return Result.isSuccess(result)
      ? Effect.succeed(result.success)
      : Effect.fail(new InvalidInput({ issues: issuesOf(result.failure.issue, basePath) }))
  }
}

/** Union member in the formatter's message, with its discriminating field. */
const member = /\{ readonly "(\w+)": ("[^"]*")(?:, \.\.\.)? \}/g

/** Reports an invalid discriminator at its field, with the allowed values. Type names of the code are omitted. */
const withForeignFieldMessage = ({ path = [], message }: StandardIssue): StandardIssue => {
  const members = [...message.matchAll(member)]
  const [, field] = members[0] ?? []
  return field === undefined || members.some(([, other]) => other !== field)
    ? { path, message }
    : { path: [...path, field], message: `Expected ${members.map(([, , value]) => value).join(" | ")}` }
}

/** Largest number of letters by which a suggested name differs. */
const maxTypos = 2

/** Returns how many letters have to be inserted, removed or replaced to make one name the other. */
const typosBetween = (given: string, name: string): number => {
  let row = Array.from({ length: name.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...given].entries()) {
    const next = [i + 1]
    for (let j = 0; j < name.length; j++) {
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === name[j] ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1)!
}

/** Names the field that was meant instead of the known ones. */
const withFieldSuggestion = ({ path = [], message }: StandardIssue): StandardIssue => {
  if (!message.startsWith(unknownField)) return { path, message }
  const given = String(path.at(-1))
  const [suggestion] = message
    .slice(unknownField.length + 1)
    .split(" ")
    .filter((name) => Math.abs(name.length - given.length) <= maxTypos)
    .map((name) => ({ name, typos: typosBetween(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ typos }) => typos <= maxTypos)
    .sort((a, b) => a.typos - b.typos)
  return {
    path,
    message: suggestion === undefined ? unknownField : `${unknownField}: did you mean ${suggestion.name}?`
  }
}

/** Returns the issues of a value with their paths. `place` is the path of the value itself. */
export const issuesOf = (issue: SchemaIssue.Issue, place = "") =>
  format(issue)
    .issues.filter(({ message }, _, all) => message !== foreignFieldMessage || all.length === 1)
    .slice(0, maxIssues)
    .map(withForeignFieldMessage)
    .map(withFieldSuggestion)
    .map(({ path, message }) => ({ path: pathOf(path ?? [], place), message }))

const pathOf = (path: ReadonlyArray<unknown>, rootPath: string): string =>
  path.reduce<string>((text, part) => {
    const key = typeof part === "object" && part !== null && "key" in part ? part.key : part
    return typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`
  }, rootPath)
