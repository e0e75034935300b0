/** The three-way merge of one entry, field by field. */
import { Equal } from "effect"

/** Fields that are decided together, under the name a conflict has. */
export interface FieldGroup<A> {
  readonly name: string
  readonly fields: ReadonlyArray<keyof A & string>
}

export const single = <A>(...names: ReadonlyArray<keyof A & string>): ReadonlyArray<FieldGroup<A>> =>
  names.map((name) => ({ name, fields: [name] }))

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

const valuesOf = <A>(entry: A, { fields }: FieldGroup<A>) => fields.map((field) => entry[field])

/** What a conflict shows of a group: the value, or the values by name. */
export const shown = <A extends object>(entry: A | undefined, { fields }: FieldGroup<A>): unknown => {
  if (entry === undefined) return null
  const [first] = fields
  if (fields.length === 1 && first !== undefined) return entry[first] ?? null
  return Object.fromEntries(fields.filter((field) => entry[field] !== undefined).map((field) => [field, entry[field]]))
}

/** Whether a group differs between two entries. */
export const differs = <A>(a: A, b: A, group: FieldGroup<A>): boolean =>
  !Equal.equals(valuesOf(a, group), valuesOf(b, group))

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
    conflicts.push({
      field: group.name,
      base: shown(base, group),
      main: shown(main, group),
      ours: shown(ours, group)
    })
  }
  return { entry: Object.fromEntries(fields) as A, conflicts }
}

/** Whether the side that did not delete the entry changed something of it that a reader sees. */
export const isEdited = <A>(base: A, after: A, groups: ReadonlyArray<FieldGroup<A>>): boolean =>
  groups.some((group) => differs(base, after, group))
