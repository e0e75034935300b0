/**
 * The settings file, in TOML: one `name = value` for each setting, by the names of the flags. A value is a text,
 * a whole number, `true` or `false`, or, for what is given by comma, a list of texts.
 *
 * A file that can't be read, is no TOML or holds a name that is no setting is refused as a whole.
 */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Effect } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import * as NamedFile from "./NamedFile.ts"
import { hintOf } from "./NearestName.ts"
import { namesOf, type SettingTable } from "./Setting.ts"

/** In the folder that a command is run in, where no other is named. */
const usual = "lectern.toml"

/** Other bytes would become a name or a secret that nobody wrote. */
const utf8 = new TextDecoder("utf-8", { fatal: true })

/** KiB. */
const most = 1024

export interface SettingsFile {
  readonly path: string
  /** Texts as they would be given by flags. */
  readonly texts: ReadonlyMap<string, string>
  /** True where others on the machine may read it. */
  readonly isOpen: boolean
}

const refused = (message: string) => new CommandFailed({ message })

/** The file that is named, or the usual one where there is one. */
export const read = Effect.fnUntraced(function* (named: string | undefined, table: SettingTable) {
  if (named === undefined && !existsSync(usual)) return undefined
  const path = resolve(named ?? usual)
  const unreadable = (reason: string) => refused(`The settings file ${path} can't be read: ${reason}`)
  const { bytes, mode } = yield* Effect.mapError(NamedFile.read(path, most), unreadable)
  const source = yield* Effect.try({
    try: () => utf8.decode(bytes),
    catch: (thrown) => unreadable(fileErrorReason(thrown))
  })
  // Loaded here, so that a command without a file does not wait for it.
  const { parse, TomlError } = yield* Effect.promise(() => import("smol-toml"))
  const parsed = yield* Effect.try({
    try: () => parse(source),
    catch: (thrown) => {
      if (!(thrown instanceof TomlError)) throw thrown
      // What follows quotes the lines around it, and one of them may be a secret.
      const [first = ""] = thrown.message.split("\n")
      return refused(`The settings file ${path} is no TOML, line ${thrown.line}: ${first}`)
    }
  })
  const known = Object.values(table).flatMap(namesOf)
  const texts = new Map<string, string>()
  for (const [name, value] of Object.entries(parsed)) {
    if (!known.includes(name)) {
      return yield* refused(`${name} in ${path} is no setting${hintOf(name, known)}`)
    }
    const text = textOf(value)
    if (text === undefined) {
      return yield* refused(`${name} in ${path} has to be a text, a whole number, true or false, or a list of texts`)
    }
    if (text.includes("\0")) {
      return yield* refused(`${name} in ${path} holds the character NUL, which nothing can be named by`)
    }
    if (text.trim() !== "") texts.set(name, text)
  }
  return { path, texts, isOpen: (mode & 0o077) !== 0 } satisfies SettingsFile
})

const textOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  if (typeof value === "boolean") return value ? "on" : "off"
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value)
  if (Array.isArray(value) && value.every((one) => typeof one === "string" && !one.includes(","))) {
    return value.join(",")
  }
  return undefined
}
