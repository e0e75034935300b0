/** The token of the API: the content of a file, or `LECTERN_TOKEN`. Other users of the machine see arguments. */
import { Effect, Option, Redacted } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import * as NamedFile from "../settings/NamedFile.ts"

const maxKibibytes = 64

export const read = Effect.fnUntraced(function* (file: Option.Option<string>) {
  const fromEnvironment = process.env["LECTERN_TOKEN"] ?? ""
  const text = Option.isNone(file)
    ? fromEnvironment
    : yield* NamedFile.read(file.value, maxKibibytes).pipe(
        Effect.map(({ bytes }) => bytes.toString("utf8")),
        Effect.mapError((reason) => new CommandFailed({ message: `The token file can't be read: ${reason}` }))
      )
  const token = text.trim()
  if (token === "") {
    return yield* new CommandFailed({ message: "Set LECTERN_TOKEN to a token of the server, or pass --token-file" })
  }
  if (!/^[\x21-\x7e]+$/.test(token)) return yield* new CommandFailed({ message: "The token is invalid" })
  return Redacted.make(token)
})
