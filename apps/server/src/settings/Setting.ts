/**
 * A setting as a value: everything else is derived from it, its flag (`--rate-limit`), its variable
 * (`LECTERN_RATE_LIMIT`), its key in the settings file (`rate-limit`), and what `lectern settings` shows of it.
 */
import { Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import type { SettingKind } from "./SettingKind.ts"

interface Traits {
  /** As it would be written. Absent: the setting is undefined where nothing sets it. */
  readonly standard?: string
  /** Never shown nor logged; its variable and key may be those of a file that holds it, with `_FILE` behind. */
  readonly isSecret?: boolean
  /** The flag takes no value: it is there or not. */
  readonly isSwitch?: boolean
  /** Counts again on `SIGHUP`; all others are read at the start alone. */
  readonly reloads?: boolean
}

export interface Setting<A> extends Traits {
  readonly name: string
  readonly says: string
  readonly kind: SettingKind<Exclude<A, undefined>>
}

// What a table of settings may hold, whatever they are.
// oxlint-disable-next-line typescript/no-explicit-any
type AnySetting = Setting<any>

export type SettingTable = { readonly [key: string]: AnySetting }

type ValueOf<One> = One extends Setting<infer A> ? A : never

/** Values by the keys of a table; what nothing sets and has no default is not there. */
export type SettingValues<Table extends SettingTable> = {
  readonly [K in keyof Table as undefined extends ValueOf<Table[K]> ? never : K]: ValueOf<Table[K]>
} & {
  readonly [K in keyof Table as undefined extends ValueOf<Table[K]> ? K : never]?: Exclude<ValueOf<Table[K]>, undefined>
}

/** Texts of flags, by the keys of a table. */
export type GivenFlags<Table> = { readonly [K in keyof Table]: Option.Option<string> }

type Value<A, T extends Traits> = T extends { readonly standard: string } ? A : A | undefined

export const setting = <A, const T extends Traits = {}>(
  name: string,
  says: string,
  kind: SettingKind<A>,
  traits?: T
): Setting<Value<A, T>> => ({ name, says, kind: kind as SettingKind<Exclude<Value<A, T>, undefined>>, ...traits })

const inFile = "-file"

/** Names by which a setting is set: its own, and that of the file for a secret. */
export const namesOf = ({ name, isSecret }: AnySetting): ReadonlyArray<string> =>
  isSecret === true ? [name, name + inFile] : [name]

/** Begins the names of all variables. */
export const prefix = "LECTERN_"

/** Variable of the environment: `LECTERN_RATE_LIMIT` of `rate-limit`. */
export const variableOf = (name: string): string => `${prefix}${name.replaceAll("-", "_").toUpperCase()}`

const flagOf = (setting: AnySetting): Flag.Flag<Option.Option<string>> => {
  const { name, isSecret, isSwitch, standard } = setting
  const flag =
    isSecret === true
      ? Flag.map(Flag.Redacted(name), Redacted.value)
      : isSwitch === true
        ? Flag.map(Flag.Boolean(name), (on) => (on ? "on" : "off"))
        : Flag.String(name)
  const preset = standard === undefined || standard === "" ? "" : `, default ${standard}`
  return flag.pipe(Flag.withDescription(`${setting.says} (${variableOf(name)}${preset})`), Flag.optional)
}

/** Flags of a command, by the keys of a table. */
export const flagsOf = <Table extends SettingTable>(table: Table) =>
  Object.fromEntries(Object.entries(table).map(([key, setting]) => [key, flagOf(setting)])) as {
    readonly [K in keyof Table]: Flag.Flag<Option.Option<string>>
  }
