/**
 * Trees of settings that clients set in part and read completely. One description defines the schema and the default of
 * each setting. It determines the schemas of complete settings, partial settings and patches, and the application of
 * overrides.
 *
 * Overrides apply within groups: omitted settings, at any depth, keep the value of the lower layer. Any other value is
 * replaced as a whole, including lists.
 */
import { Schema } from "effect"

/** A setting that always has a value. */
export interface Setting<S extends Schema.Top> {
  readonly kind: "setting"
  readonly schema: S
  readonly default: S["Type"]
}

/** A setting that is absent by default. */
export interface Optional<S extends Schema.Top> {
  readonly kind: "optional"
  readonly schema: S
}

export interface Group<F extends Settings> {
  readonly kind: "group"
  readonly settings: F
}

export interface Settings {
  readonly [name: string]: Setting<any> | Optional<any> | Group<any>
}

type Complete<N> =
  N extends Group<infer F>
    ? Schema.Struct<{ readonly [K in keyof F]: Complete<F[K]> }>
    : N extends Setting<infer S>
      ? S
      : N extends Optional<infer S>
        ? Schema.optionalKey<S>
        : never

type Partial<N> =
  N extends Group<infer F>
    ? Schema.Struct<{ readonly [K in keyof F]: Schema.optionalKey<Partial<F[K]>> }>
    : N extends Setting<infer S> | Optional<infer S>
      ? S
      : never

type Changes<N> =
  N extends Group<infer F>
    ? Schema.Struct<{ readonly [K in keyof F]: Schema.optionalKey<Schema.NullOr<Changes<F[K]>>> }>
    : N extends Setting<infer S> | Optional<infer S>
      ? S
      : never

type AnyNode = Settings[string]
type Values = { readonly [name: string]: unknown }

export const setting = <S extends Schema.Top>(schema: S, value: NoInfer<S["Type"]>): Setting<S> => ({
  kind: "setting",
  schema,
  default: value
})

export const optional = <S extends Schema.Top>(schema: S): Optional<S> => ({ kind: "optional", schema })

export const group = <const F extends Settings>(settings: F): Group<F> => ({ kind: "group", settings })

/** Returns the schema of complete settings. Optional settings may be absent. */
export const complete = <F extends Settings>(node: Group<F>) => completeOf(node) as Complete<Group<F>>

/** Returns the schema of partial settings, at any depth. */
export const partial = <F extends Settings>(node: Group<F>) => partialOf(node) as Partial<Group<F>>

/** Returns the schema of patches. Null removes a setting or a whole group. */
export const changes = <F extends Settings>(node: Group<F>) => changesOf(node) as Changes<Group<F>>

/** Returns the default values. */
export const defaults = <F extends Settings>(node: Group<F>) => defaultsOf(node) as Complete<Group<F>>["Type"]

/** Returns complete settings with overrides applied. */
export const withOverrides = <F extends Settings>(
  node: Group<F>,
  base: Complete<Group<F>>["Type"],
  overrides: Partial<Group<F>>["Type"]
) => applyOverrides(node, base as Values, overrides as Values) as Complete<Group<F>>["Type"]

/** Returns partial settings with a patch applied. Empty groups are removed. */
export const changed = <F extends Settings>(
  node: Group<F>,
  values: Partial<Group<F>>["Type"],
  change: Changes<Group<F>>["Type"]
) => withChanges(node, values as Values, change as Values) as Partial<Group<F>>["Type"]

const mapSettings = (node: Group<Settings>, f: (node: AnyNode) => Schema.Top) =>
  Schema.Struct(Object.fromEntries(Object.entries(node.settings).map(([name, inner]) => [name, f(inner)])))

const completeOf = (node: AnyNode): Schema.Top =>
  node.kind === "group"
    ? mapSettings(node, completeOf)
    : node.kind === "optional"
      ? Schema.optionalKey(node.schema)
      : node.schema

const partialOf = (node: AnyNode): Schema.Top =>
  node.kind === "group" ? mapSettings(node, (inner) => Schema.optionalKey(partialOf(inner))) : node.schema

const changesOf = (node: AnyNode): Schema.Top =>
  node.kind === "group"
    ? mapSettings(node, (inner) => Schema.optionalKey(Schema.NullOr(changesOf(inner))))
    : node.schema

const defaultsOf = (node: Group<Settings>): Values => {
  const values: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(node.settings)) {
    if (inner.kind === "group") values[name] = defaultsOf(inner)
    if (inner.kind === "setting") values[name] = inner.default
  }
  return values
}

const applyOverrides = (node: Group<Settings>, base: Values, overrides: Values): Values => {
  const values: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(node.settings)) {
    const value = overrides[name]
    values[name] =
      inner.kind === "group" && value !== undefined
        ? applyOverrides(inner, base[name] as Values, value as Values)
        : (value ?? base[name])
    if (values[name] === undefined) delete values[name]
  }
  return values
}

const withChanges = (node: Group<Settings>, values: Values, change: Values): Values => {
  const result: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(node.settings)) {
    const patchValue = change[name]
    if (patchValue === null) continue
    const value =
      patchValue === undefined
        ? values[name]
        : inner.kind === "group"
          ? withChanges(inner, (values[name] ?? {}) as Values, patchValue as Values)
          : patchValue
    if (value === undefined || (inner.kind === "group" && Object.keys(value as Values).length === 0)) continue
    result[name] = value
  }
  return result
}
