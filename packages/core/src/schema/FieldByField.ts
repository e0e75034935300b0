/** Decodes the fields of a mapping separately, so that an invalid field does not invalidate the others. */
import { Option, Schema } from "effect"

export interface ReadResult<A> {
  readonly fields: Partial<A>
  /** Names of fields with invalid values. */
  readonly wrong: ReadonlyArray<string>
}

/** Returns a decoder of mappings whose fields are all optional. It returns undefined if the value is not a mapping. */
export const reader = <A extends object>(fields: {
  readonly [_ in keyof A & string]: Schema.Decoder<A[_] | undefined>
}): ((value: unknown) => ReadResult<A> | undefined) => {
  const decoders = new Map(
    Object.entries<Schema.Decoder<unknown>>(fields).map(([name, field]) => [name, Schema.decodeUnknownOption(field)])
  )
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
    const validFields: Record<string, unknown> = {}
    const invalidNames: Array<string> = []
    for (const [name, field] of Object.entries(value)) {
      const decoded = decoders.get(name)?.(field)
      if (decoded === undefined) continue
      if (Option.isSome(decoded)) validFields[name] = decoded.value
      else invalidNames.push(name)
    }
    return { fields: validFields as Partial<A>, wrong: invalidNames }
  }
}
