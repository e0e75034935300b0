/**
 * Definition of a setting, from which all its forms are derived: the flag (`--rate-limit`), the environment variable
 * (`LECTERN_RATE_LIMIT`), the key in the settings file (`rate-limit`), and the row of `lectern settings`.
 */
import { Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import type { SettingKind } from "./SettingKind.ts"

interface Traits {
  /** Default value as text. Absent if the setting has no default. */
  readonly default?: string
  /** True for a secret, which is never displayed or logged. `…_FILE` and `…-file` name a file that contains it. */
  readonly isSecret?: boolean
  /** True if the flag has no value. */
  readonly isSwitch?: boolean
  /** True if `SIGHUP` reloads the setting. All other settings are only read at the start. */
  readonly reloads?: boolean
}

export interface Setting<A> extends Traits {
  readonly name: string
  readonly description: string
  readonly kind: SettingKind<Exclude<A, undefined>>
}

// A table contains settings of any type.
// oxlint-disable-next-line typescript/no-explicit-any
type AnySetting = Setting<any>

export type SettingTable = { readonly [key: string]: AnySetting }

type ValueOf<One> = One extends Setting<infer A> ? A : never

/** Values by the keys of a table. Unset settings without a default are absent. */
export type SettingValues<Table extends SettingTable> = {
  readonly [K in keyof Table as undefined extends ValueOf<Table[K]> ? never : K]: ValueOf<Table[K]>
} & {
  readonly [K in keyof Table as undefined extends ValueOf<Table[K]> ? K : never]?: Exclude<ValueOf<Table[K]>, undefined>
}

/** Values of flags as text, by the keys of a table. */
export type FlagValues<Table> = { readonly [K in keyof Table]: Option.Option<string> }

type Value<A, T extends Traits> = T extends { readonly default: string } ? A : A | undefined

export const setting = <A, const T extends Traits = {}>(
  name: string,
  description: string,
  kind: SettingKind<A>,
  traits?: T
): Setting<Value<A, T>> => ({
  name,
  description,
  kind: kind as SettingKind<Exclude<Value<A, T>, undefined>>,
  ...traits
})

const fileSuffix = "-file"

/**
 * Returns the environment variables of a setting. A secret also has a variable for the path of a file that contains the
 * secret.
 */
export const namesOf = ({ name, isSecret }: AnySetting): ReadonlyArray<string> =>
  isSecret === true ? [name, name + fileSuffix] : [name]

/** Prefix of the environment variables. */
export const prefix = "LECTERN_"

/** Returns the environment variable of a setting: `LECTERN_RATE_LIMIT` for `rate-limit`. */
export const variableOf = (name: string): string => `${prefix}${name.replaceAll("-", "_").toUpperCase()}`

const flagOf = (setting: AnySetting): Flag.Flag<Option.Option<string>> => {
  const { name, isSecret, isSwitch, default: defaultText } = setting
  const flag =
    isSecret === true
      ? Flag.map(Flag.Redacted(name), Redacted.value)
      : isSwitch === true
        ? Flag.map(Flag.Boolean(name), (on) => (on ? "on" : "off"))
        : Flag.String(name)
  const preset = defaultText === undefined || defaultText === "" ? "" : `, default ${defaultText}`
  return flag.pipe(Flag.withDescription(`${setting.description} (${variableOf(name)}${preset})`), Flag.optional)
}

/** Returns the flags of a command, by the keys of a table. */
export const flagsOf = <Table extends SettingTable>(table: Table) =>
  Object.fromEntries(Object.entries(table).map(([key, setting]) => [key, flagOf(setting)])) as {
    readonly [K in keyof Table]: Flag.Flag<Option.Option<string>>
  }
