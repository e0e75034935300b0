/**
 * Reads the settings file, in TOML: a line `name = value` for each setting, with the names of the flags. A value is a text,
 * a whole number, `true` or `false`, or, for a setting with several values, a list of texts.
 *
 * A file that can't be read, is not TOML or contains an unknown name is rejected as a whole.
 */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { suggestionOf } from "@lectern/core/schema/NearestName"
import { Effect } from "effect"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import * as TomlFile from "@lectern/cli/settings/TomlFile"
import { namesOf, type SettingTable } from "./Setting.ts"

/** Name of the default file, in the current folder. */
const defaultName = "lectern.toml"

export interface SettingsFile {
  readonly path: string
  /** Values by name, in the format of flags. */
  readonly texts: ReadonlyMap<string, string>
  /** True if other users of the machine may read the file. */
  readonly isOpen: boolean
}

const refusal = (message: string) => new CommandFailed({ message })

/** Reads the named file, or the default file. Returns undefined if the default file is missing. */
export const read = Effect.fnUntraced(function* (suppliedPath: string | undefined, table: SettingTable) {
  if (suppliedPath === undefined && !existsSync(defaultName)) return undefined
  const path = resolve(suppliedPath ?? defaultName)
  const { mode, values } = yield* TomlFile.read(path)
  const knownNames = Object.values(table).flatMap(namesOf)
  const texts = new Map<string, string>()
  for (const [name, value] of Object.entries(values)) {
    // The settings of another command.
    if (name === TomlFile.lintSection) continue
    if (!knownNames.includes(name)) {
      return yield* refusal(`${name} in ${path} is not a setting${suggestionOf(name, knownNames)}`)
    }
    const text = textOf(value)
    if (text === undefined) {
      return yield* refusal(`${name} in ${path} has to be a text, a whole number, true or false, or a list of texts`)
    }
    if (text.includes("\0")) {
      return yield* refusal(`${name} in ${path} contains the character NUL, which is not allowed`)
    }
    if (text.trim() !== "") texts.set(name, text)
  }
  return { path, texts, isOpen: (mode & 0o077) !== 0 } satisfies SettingsFile
})

const textOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  if (typeof value === "boolean") return value ? "on" : "off"
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value)
  if (Array.isArray(value) && value.every((item) => typeof item === "string" && !item.includes(","))) {
    return value.join(",")
  }
  return undefined
}
