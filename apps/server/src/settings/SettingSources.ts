/** Sources of settings: flags, then the environment, then the file, then what holds by default. */
import { Context, Effect, Option } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import { type GivenFlags, namesOf, type Setting, type SettingTable, type SettingValues, variableOf } from "./Setting.ts"
import * as SecretFile from "./SecretFile.ts"
import * as SettingsFile from "./SettingsFile.ts"

/** The environment of the process. */
export const Environment = Context.Reference<Readonly<Record<string, string | undefined>>>("lectern/Environment", {
  defaultValue: () => process.env
})

export type SourceKind = "flag" | "environment" | "file" | "default"

/** The text that a setting has, and where it was found. */
export interface Found {
  readonly text: string
  readonly source: SourceKind
  /** As people are told of it: `--port`, `LECTERN_PORT`, `port in /etc/lectern.toml`. */
  readonly where: string
}

export interface Resolved<Table extends SettingTable> {
  readonly values: SettingValues<Table>
  /** By the keys of the table; absent where nothing sets it and there is no default. */
  readonly found: ReadonlyMap<string, Found>
  readonly file: SettingsFile.SettingsFile | undefined
}

/** Variable that names the settings file. */
export const fileVariable = variableOf("config")

const isSet = (text: string | undefined): text is string => text !== undefined && text.trim() !== ""

/** The text itself, or what is in the file that the second name leads to. */
const inSource = (
  setting: Setting<unknown>,
  source: SourceKind,
  get: (name: string) => string | undefined,
  whereOf: (name: string) => string
): Effect.Effect<Found | undefined, CommandFailed> => {
  const [name, fileName] = namesOf(setting)
  const text = get(name!)
  const path = fileName && get(fileName)
  if (isSet(text)) {
    return isSet(path)
      ? Effect.fail(
          new CommandFailed({ message: `${whereOf(name!)} and ${whereOf(fileName!)} are both set: set one of them` })
        )
      : Effect.succeed({ text, source, where: whereOf(name!) })
  }
  if (!isSet(path)) return Effect.undefined
  const where = whereOf(fileName!)
  return Effect.map(secretIn(where, path), (text) => ({ text, source, where }))
}

/** Without its secret a server would begin with one of its own, and nobody would notice. */
const secretIn = (where: string, path: string) =>
  SecretFile.read(path).pipe(
    Effect.mapError((reason) => `can't be read: ${reason}`),
    Effect.filterOrFail(isSet, () => "is empty"),
    Effect.mapError((objection) => new CommandFailed({ message: `The file that ${where} names ${objection}` }))
  )

/**
 * Settings of a table as they hold now, or a sentence that says what can't be meant.
 *
 * @param all the table whose names a file may hold
 */
export const resolve = Effect.fnUntraced(function* <Table extends SettingTable>(
  table: Table,
  flags: GivenFlags<Table>,
  config: Option.Option<string>,
  all: SettingTable
) {
  const env = yield* Environment
  const named = [Option.getOrUndefined(config), env[fileVariable]].find(isSet)
  const file = yield* SettingsFile.read(named, all)
  const values: Record<string, unknown> = {}
  const found = new Map<string, Found>()
  for (const [key, setting] of Object.entries(table)) {
    const { name, kind, standard, isSecret } = setting
    const flag = Option.getOrUndefined(flags[key] ?? Option.none())
    const one: Found | undefined = isSet(flag)
      ? { text: flag, source: "flag", where: `--${name}` }
      : ((yield* inSource(setting, "environment", (name) => env[variableOf(name)], variableOf)) ??
        (file &&
          (yield* inSource(
            setting,
            "file",
            (name) => file.texts.get(name),
            (name) => `${name} in ${file.path}`
          ))) ??
        (standard === undefined ? undefined : { text: standard, source: "default", where: "default" }))
    if (one === undefined) continue
    const value = kind.read(one.text)
    if (value === undefined) {
      const shown = isSecret === true ? "" : ` is ${JSON.stringify(withoutUser(one.text))}, and`
      return yield* new CommandFailed({ message: `${one.where}${shown} has to be ${kind.expects}` })
    }
    values[key] = value
    found.set(key, one)
  }
  return { values: values as SettingValues<Table>, found, file } satisfies Resolved<Table>
})

/** A text as people may see it: the collector of traces, for one, may be asked with a user and a password. */
export const shown = (text: string) => text.replace(/^(\s*https?:\/*)[^/?#]*@/i, "$1…@")

/** The same for a text that was refused, of which nobody knows where its URL, if it is one, has the user's part. */
const withoutUser = (text: string) => text.replace(/\/\/.*@/s, "//…@")
