/**
 * Validation of input. Services validate by themselves, so that hosts without HTTP have the same limits: a value of the
 * right type may still be too long, ill-formed, or come from an untyped caller. Validated input has known fields only:
 * an unknown field is an error that suggests the field with the most similar name. Over HTTP, unknown fields are ignored
 * before the service is called.
 */
import { Effect, Result, Schema, type SchemaAST, SchemaIssue } from "effect"
import { suggestionOf } from "./NearestName.ts"

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

/** Names the field that was meant instead of the known ones. */
const withFieldSuggestion = ({ path = [], message }: StandardIssue): StandardIssue => {
  if (!message.startsWith(unknownField)) return { path, message }
  const knownNames = message.slice(unknownField.length + 1).split(" ")
  return { path, message: unknownField + suggestionOf(String(path.at(-1)), knownNames) }
}

/** Returns the issues of a value with their paths. `place` is the path of the value itself. */
export const issuesOf = (issue: SchemaIssue.Issue, place = "") =>
  issuesWithKeys(issue).map(({ keys, message }) => ({ path: pathOf(keys, place), message }))

/** Returns the issues of a value with the names and positions on their paths. */
export const issuesWithKeys = (issue: SchemaIssue.Issue) =>
  format(issue)
    .issues.filter(({ message }, _, all) => message !== foreignFieldMessage || all.length === 1)
    .slice(0, maxIssues)
    .map(withForeignFieldMessage)
    .map(withFieldSuggestion)
    .map(({ path = [], message }) => ({ keys: path.map(keyOf), message }))

const keyOf = (part: unknown): string | number => {
  const key = typeof part === "object" && part !== null && "key" in part ? part.key : part
  return typeof key === "number" ? key : String(key)
}

const pathOf = (keys: ReadonlyArray<string | number>, rootPath: string): string =>
  keys.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text === "" ? key : `${text}.${key}`),
    rootPath
  )
