/** The envelope of every list, and the parameters that page through one. */
import { maxLimit } from "@lectern/core/storage/PageParams"
import { Schema } from "effect"

/** `page` is the cursor of an earlier answer; `limit` is 1 to 1,000, by default 50. */
export const PageQuery = {
  page: Schema.optionalKey(Schema.String).annotateKey({
    description: "The cursor of the next items, from `next.page` of an earlier answer."
  }),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxLimit }))).annotateKey({
    description: "The number of items in an answer. Default: 50."
  })
}

export const listOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    next: Schema.optionalKey(Schema.Struct({ page: Schema.String })),
    count: Schema.Int,
    items: Schema.Array(item)
  })
