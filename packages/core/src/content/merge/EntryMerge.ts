/** Three-way merge of an entry, field by field. Some fields are merged by property. */
import { Equal } from "effect"
import { mergeData } from "@lectern/document/merge/DataMerge"
import { Fingerprints } from "@lectern/document/alignment/Fingerprints"

/** Fields that are merged together. A conflict about any of them has the field name `field`. */
export interface FieldGroup<A> {
  readonly name: string
  readonly fields: ReadonlyArray<keyof A & string>
  /** Default values of a field that is a set of options, each of which is merged separately. */
  readonly defaults?: object
}

export const singleFields = <A>(...names: ReadonlyArray<keyof A & string>): ReadonlyArray<FieldGroup<A>> =>
  names.map((name) => ({ name, fields: [name] }))

export const optionFields = <A>(defaults: { readonly [name in keyof A & string]?: object }): ReadonlyArray<
  FieldGroup<A>
> =>
  Object.entries<object | undefined>(defaults).map(([name, value]) => ({
    name,
    fields: [name as keyof A & string],
    defaults: value ?? {}
  }))

/** Merges two sets of options. If both sides changed an option, `first` wins. */
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
export const conflictValue = <A extends object>(entry: A | undefined, { fields }: FieldGroup<A>): unknown => {
  if (entry === undefined) return null
  const [first] = fields
  if (fields.length === 1 && first !== undefined) return entry[first] ?? null
  return Object.fromEntries(fields.filter((field) => entry[field] !== undefined).map((field) => [field, entry[field]]))
}

/** Returns true if a group of fields differs between two entries. */
export const differs = <A>(a: A, b: A, { fields }: FieldGroup<A>): boolean =>
  fields.some((field) => !Equal.equals(a[field], b[field]))

/**
 * Returns our entry with the changes that only main made. If both sides changed a group differently, our values stay.
 */
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
      base: conflictValue(base, group),
      main: conflictValue(main, group),
      ours: conflictValue(ours, group)
    })
  }
  return { entry: Object.fromEntries(fields) as A, conflicts }
}

/** Returns true if the remaining version of an entry that the other side deleted has changes visible to readers. */
export const isEdited = <A>(base: A, after: A, groups: ReadonlyArray<FieldGroup<A>>): boolean =>
  groups.some((group) => differs(base, after, group))
