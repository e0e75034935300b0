/** Resolves settings from their sources: flags, then the environment, then the settings file, then defaults. */
import { Context, Effect, Option } from "effect"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { type FlagValues, namesOf, type Setting, type SettingTable, type SettingValues, variableOf } from "./Setting.ts"
import * as SecretFile from "./SecretFile.ts"
import * as SettingsFile from "./SettingsFile.ts"

/** The environment of the process. */
export const Environment = Context.Reference<Readonly<Record<string, string | undefined>>>("lectern/Environment", {
  defaultValue: () => process.env
})

export type SourceKind = "flag" | "environment" | "file" | "default"

/** Text of a setting, and its source. */
export interface SettingSource {
  readonly text: string
  readonly source: SourceKind
  /** Source for messages: `--port`, `LECTERN_PORT`, `port in /etc/lectern.toml`. */
  readonly label: string
}

export interface Resolved<Table extends SettingTable> {
  readonly values: SettingValues<Table>
  /** Sources by the keys of the table. Unset settings without a default are absent. */
  readonly sources: ReadonlyMap<string, SettingSource>
  readonly file: SettingsFile.SettingsFile | undefined
}

/** Environment variable that names the settings file. */
export const fileVariable = variableOf("config")

const isSet = (text: string | undefined): text is string => text !== undefined && text.trim() !== ""

/** Returns the text of a setting in a source, or the content of the file that the name with `_FILE` names. */
const inSource = (
  setting: Setting<unknown>,
  source: SourceKind,
  get: (name: string) => string | undefined,
  labelOf: (name: string) => string
): Effect.Effect<SettingSource | undefined, CommandFailed> => {
  const [name, fileName] = namesOf(setting)
  const text = get(name!)
  const path = fileName && get(fileName)
  if (isSet(text)) {
    return isSet(path)
      ? Effect.fail(
          new CommandFailed({ message: `${labelOf(name!)} and ${labelOf(fileName!)} are both set: set one of them` })
        )
      : Effect.succeed({ text, source, label: labelOf(name!) })
  }
  if (!isSet(path)) return Effect.undefined
  const label = labelOf(fileName!)
  return Effect.map(secretIn(label, path), (text) => ({ text, source, label }))
}

/** Reads a secret. An empty or unreadable file is an error, since the server would silently generate another secret. */
const secretIn = (label: string, path: string) =>
  SecretFile.read(path).pipe(
    Effect.mapError((reason) => `can't be read: ${reason}`),
    Effect.filterOrFail(isSet, () => "is empty"),
    Effect.mapError((objection) => new CommandFailed({ message: `The file that ${label} names ${objection}` }))
  )

/**
 * Returns the settings of a table. Fails with a message if a setting is invalid.
 *
 * @param all table of all names that the settings file may contain
 */
export const resolve = Effect.fnUntraced(function* <Table extends SettingTable>(
  table: Table,
  flags: FlagValues<Table>,
  config: Option.Option<string>,
  fullTable: SettingTable
) {
  const env = yield* Environment
  const filePath = [Option.getOrUndefined(config), env[fileVariable]].find(isSet)
  const file = yield* SettingsFile.read(filePath, fullTable)
  const values: Record<string, unknown> = {}
  const sources = new Map<string, SettingSource>()
  for (const [key, setting] of Object.entries(table)) {
    const { name, kind, default: defaultText, isSecret } = setting
    const flag = Option.getOrUndefined(flags[key] ?? Option.none())
    const source: SettingSource | undefined = isSet(flag)
      ? { text: flag, source: "flag", label: `--${name}` }
      : ((yield* inSource(setting, "environment", (name) => env[variableOf(name)], variableOf)) ??
        (file &&
          (yield* inSource(
            setting,
            "file",
            (name) => file.texts.get(name),
            (name) => `${name} in ${file.path}`
          ))) ??
        (defaultText === undefined ? undefined : { text: defaultText, source: "default", label: "default" }))
    if (source === undefined) continue
    const value = kind.parse(source.text)
    if (value === undefined) {
      const displayed = isSecret === true ? "" : ` is ${JSON.stringify(withoutUser(source.text))}, and`
      return yield* new CommandFailed({ message: `${source.label}${displayed} has to be ${kind.expects}` })
    }
    values[key] = value
    sources.set(key, source)
  }
  return { values: values as SettingValues<Table>, sources, file } satisfies Resolved<Table>
})

/** Returns a text without user and password of a URL, for display. The URL of a trace collector may contain them. */
export const withoutCredentials = (text: string) => text.replace(/^(\s*https?:\/*)[^/?#]*@/i, "$1…@")

/** Returns invalid text without everything from `//` to the last `@`, since it may contain a password. */
const withoutUser = (text: string) => text.replace(/\/\/.*@/s, "//…@")
