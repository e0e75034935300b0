/** The three-way merge of one entry, field by field, and some fields property by property. */
import { Equal } from "effect"
import { mergeData } from "@lectern/document/merge/DataMerge"
import { Fingerprints } from "@lectern/document/alignment/Fingerprints"

/** Fields that are decided together, under the name a conflict has. */
export interface FieldGroup<A> {
  readonly name: string
  readonly fields: ReadonlyArray<keyof A & string>
  /** Of a field that is a set of options, each merged by itself: what they are where it is not set. */
  readonly defaults?: object
}

export const single = <A>(...names: ReadonlyArray<keyof A & string>): ReadonlyArray<FieldGroup<A>> =>
  names.map((name) => ({ name, fields: [name] }))

export const options = <A>(defaults: { readonly [name in keyof A & string]?: object }): ReadonlyArray<FieldGroup<A>> =>
  Object.entries<object | undefined>(defaults).map(([name, value]) => ({
    name,
    fields: [name as keyof A & string],
    defaults: value ?? {}
  }))

/** Two sets of options as one; where both sides changed the same option, `first` holds. */
export const mergeOptions = (
  base: unknown,
  second: unknown,
  first: unknown
): { readonly value: unknown; readonly conflict: boolean } => mergeData(base, second, first, new Fingerprints())

export interface Versions<A> {
  readonly base: A | undefined
  readonly main: A | undefined
  readonly ours: A | undefined
}

export interface FieldConflict {
  readonly field: string
  readonly base: unknown
  readonly main: unknown
  readonly ours: unknown
}

/** Value of a group of fields for a conflict: the value of its only field, or the values by name. */
export const shown = <A extends object>(entry: A | undefined, { fields }: FieldGroup<A>): unknown => {
  if (entry === undefined) return null
  const [first] = fields
  if (fields.length === 1 && first !== undefined) return entry[first] ?? null
  return Object.fromEntries(fields.filter((field) => entry[field] !== undefined).map((field) => [field, entry[field]]))
}

/** Tells whether a group of fields differs between two entries. */
export const differs = <A>(a: A, b: A, { fields }: FieldGroup<A>): boolean =>
  fields.some((field) => !Equal.equals(a[field], b[field]))

/** Ours with what main alone changed; where both changed a group differently it stays ours. */
export const mergeFields = <A extends object>(
  versions: { readonly base: A | undefined; readonly main: A; readonly ours: A },
  groups: ReadonlyArray<FieldGroup<A>>
): { readonly entry: A; readonly conflicts: ReadonlyArray<FieldConflict> } => {
  const { base, main, ours } = versions
  const fields = new Map(Object.entries(ours))
  const conflicts: Array<FieldConflict> = []
  for (const group of groups) {
    if (!differs(main, ours, group)) continue
    if (base !== undefined && !differs(base, main, group)) continue
    if (base !== undefined && !differs(base, ours, group)) {
      for (const field of group.fields) {
        if (main[field] === undefined) fields.delete(field)
        else fields.set(field, main[field])
      }
      continue
    }
    const [field] = group.fields
    if (group.defaults !== undefined && field !== undefined && main[field] !== undefined && ours[field] !== undefined) {
      const merged = mergeOptions(base?.[field] ?? group.defaults, main[field], ours[field])
      fields.set(field, merged.value)
      if (!merged.conflict) continue
    }
    conflicts.push({
      field: group.name,
      base: shown(base, group),
      main: shown(main, group),
      ours: shown(ours, group)
    })
  }
  return { entry: Object.fromEntries(fields) as A, conflicts }
}

/** Tells whether the side that did not delete the entry changed something in it that a reader sees. */
export const isEdited = <A>(base: A, after: A, groups: ReadonlyArray<FieldGroup<A>>): boolean =>
  groups.some((group) => differs(base, after, group))
