/** Small fields before and after a change, for the audit log. */
import { Schema } from "effect"

export const Changes = Schema.Record(Schema.String, Schema.Struct({ from: Schema.Json, to: Schema.Json }))
export type Changes = typeof Changes.Type

const jsonOf = (value: unknown): Schema.Json => (value === undefined ? null : (value as Schema.Json))

/** Returns the listed fields that differ. A missing field is null. */
export const changesOf = <Row extends object>(
  before: Row,
  after: Row,
  fields: ReadonlyArray<keyof Row & string>
): Changes => {
  const changes: Record<string, Changes[string]> = {}
  for (const field of fields) {
    const [from, to] = [before[field], after[field]]
    if (from === to || JSON.stringify(from) === JSON.stringify(to)) continue
    changes[field] = { from: jsonOf(from), to: jsonOf(to) }
  }
  return changes
}
