/**
 * Input is checked by the services themselves, so that a host without HTTP gets the same limits: a
 * value that its type promises may still be too long, ill-formed, or come from a caller without
 * types. What is accepted holds known fields only.
 */
import { Effect, Result, Schema, SchemaIssue } from "effect"

const maxIssues = 20

/**
 * Message of a schema of a union about a value that another one there is for. The issues that the other has with the
 * value are told in its place.
 */
export const forAnother = "Expected what belongs to this type"

type StandardIssue = ReturnType<typeof format>["issues"][number]

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Issues of an input, each with the path that leads there, as in `title` or `changes[3].into`. */
export const Issues = Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))

/** The input can't be accepted. */
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
 * Checks values against a schema: `const accept = accepting(SpacePatch)`, once for each. `place` names the whole value,
 * where it stands elsewhere in a request than in its body.
 */
export const accepting = <S extends Schema.Top & { readonly DecodingServices: never }>(schema: S, place = "") => {
  const decode = Schema.decodeUnknownResult(Schema.toType(schema))
  return (value: S["Type"]): Effect.Effect<S["Type"], InvalidInput> => {
    const result = decode(value)
    return Result.isSuccess(result)
      ? Effect.succeed(result.success)
      : Effect.fail(new InvalidInput({ issues: issuesOf(result.failure.issue, place) }))
  }
}

/** A member of a union as the formatter writes it, with the field that tells it from the others. */
const member = /\{ readonly "(\w+)": ("[^"]*")(?:, \.\.\.)? \}/g

/** Points at that field where a value is of no member: the types of the code are nothing that a client has to know. */
const ofNoMember = ({ path = [], message }: StandardIssue): StandardIssue => {
  const members = [...message.matchAll(member)]
  const [, field] = members[0] ?? []
  return field === undefined || members.some(([, other]) => other !== field)
    ? { path, message }
    : { path: [...path, field], message: `Expected ${members.map(([, , value]) => value).join(" | ")}` }
}

/** Issues of a value against its schema, each with its path; `place` names the whole value. */
export const issuesOf = (issue: SchemaIssue.Issue, place = "") =>
  format(issue)
    .issues.filter(({ message }, _, all) => message !== forAnother || all.length === 1)
    .slice(0, maxIssues)
    .map(ofNoMember)
    .map(({ path, message }) => ({ path: pathOf(path ?? [], place), message }))

const pathOf = (path: ReadonlyArray<unknown>, place: string): string =>
  path.reduce<string>((text, part) => {
    const key = typeof part === "object" && part !== null && "key" in part ? part.key : part
    return typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`
  }, place)
