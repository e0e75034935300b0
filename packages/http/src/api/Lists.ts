/** Shape of every list, and its pagination parameters. */
import { maxLimit } from "@lectern/core/storage/PageParams"
import { Schema } from "effect"

/** `page`: cursor of an earlier response. `limit`: 1 to 1,000, default 50. */
export const PageQuery = {
  page: Schema.optionalKey(Schema.String).annotateKey({
    description: "The page cursor: `next.page` of an earlier response."
  }),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxLimit }))).annotateKey({
    description: "The maximum number of items per page. Default: 50."
  })
}

export const listOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    next: Schema.optionalKey(Schema.Struct({ page: Schema.String })),
    count: Schema.Int,
    items: Schema.Array(item)
  })
