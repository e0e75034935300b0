/** Reads a settings file in TOML and UTF-8. Limit: 1,024 KiB. */
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Effect } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import * as NamedFile from "./NamedFile.ts"

/** Name of the section with settings of `lectern lint`. Settings of a server are outside of it. */
export const lintSection = "lint"

/** Rejects invalid UTF-8. Replacement characters would change a name or a secret. */
const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Maximum size of the file, in KiB. */
const maxKibibytes = 1024

export interface TomlFile {
  readonly values: Readonly<Record<string, unknown>>
  /** Permissions of the file. */
  readonly mode: number
}

/** Fails with a sentence that names the file, and the line if the file is not TOML. */
export const read = Effect.fnUntraced(function* (path: string) {
  const refusal = (message: string) => new CommandFailed({ message: `The settings file ${path} ${message}` })
  const readFailure = (reason: string) => refusal(`can't be read: ${reason}`)
  const { bytes, mode } = yield* Effect.mapError(NamedFile.read(path, maxKibibytes), readFailure)
  const source = yield* Effect.try({
    try: () => utf8.decode(bytes),
    catch: (thrown) => readFailure(fileErrorReason(thrown))
  })
  // Loaded lazily, so that a command without a settings file starts faster.
  const { parse, TomlError } = yield* Effect.promise(() => import("smol-toml"))
  const values: Readonly<Record<string, unknown>> = yield* Effect.try({
    try: () => parse(source),
    catch: (thrown) => {
      if (!(thrown instanceof TomlError)) throw thrown
      // Only the first line of the message is used. The rest quotes lines of the file, which may contain secrets.
      const [first = ""] = thrown.message.split("\n")
      return refusal(`is not valid TOML, line ${thrown.line}: ${first}`)
    }
  })
  return { values, mode } satisfies TomlFile
})
