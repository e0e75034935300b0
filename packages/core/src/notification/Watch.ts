/**
 * A watch notifies a user of comments and change requests in a space, of comments on and changes of a page, or of
 * everything in a change request. A watched space includes its pages and change requests. Who writes in one of them watches it. A muted
 * space, page or change request notifies of nothing in it, even if the user watches a part of it or the whole: `muted`
 * wins.
 *
 * Limits: 10,000 watched and muted contents of a user. Beyond, writing watches nothing.
 */
import { Schema } from "effect"
import { ChangeRequestId } from "../change-request/ChangeRequest.ts"
import { PageId } from "../content/pages/Page.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"

export const maxWatches = 10_000

export const WatchState = Schema.Literals(["watching", "muted"])
export type WatchState = typeof WatchState.Type

/** Watched content: a space, or a page or change request of it. */
const targetFields = {
  space: SpaceId,
  page: Schema.optionalKey(PageId),
  changeRequest: Schema.optionalKey(ChangeRequestId)
}

const WatchTarget = Schema.Struct(targetFields)
export type WatchTarget = typeof WatchTarget.Type

export const WatchRow = Schema.Struct({
  /** Key of the target (see `watchKey`). */
  target: Schema.String,
  user: UserId,
  ...targetFields,
  state: WatchState,
  /** True if the user watches because it wrote something. */
  automatic: Schema.Boolean,
  createdAt: Timestamp
})
export type WatchRow = typeof WatchRow.Type

export const WatchTable = Table.make("watch", WatchRow, {
  key: ["target", "user"],
  indexes: [["user", "space"], ["space"]]
})

/** Returns the key of a target. */
export const watchKey = ({ space, page, changeRequest }: WatchTarget): string =>
  changeRequest !== undefined
    ? `change-request:${changeRequest}`
    : page !== undefined
      ? `page:${space}/${page}`
      : `space:${space}`

export const WatchInput = Schema.Struct({
  /** `watching` for notifications, `muted` for none. */
  state: WatchState
})
export type WatchInput = typeof WatchInput.Type

/** A watch as an API resource. */
export const Watch = Schema.Struct({
  object: Schema.Literal("watch"),
  /** `watching` or `muted`. */
  state: WatchState,
  /** True if the user watches because it wrote something. */
  automatic: Schema.Boolean,
  createdAt: Timestamp,
  /** The space. */
  space: Schema.Struct({ id: SpaceId, title: Schema.String }),
  /** Id of the page. Absent if the watch is not on a page. */
  page: Schema.optionalKey(PageId),
  /** Id of the change request. Absent if the watch is not on a change request. */
  changeRequest: Schema.optionalKey(ChangeRequestId)
})
export interface Watch extends Schema.Schema.Type<typeof Watch> {}

export const WatchFilter = Schema.Struct({
  space: Schema.optionalKey(SpaceId).annotateKey({
    description: "Id of a space. Returns only watches on it and in it."
  })
})
export type WatchFilter = typeof WatchFilter.Type

/** Raised if the user watches the maximum number of contents. */
export class TooManyWatches extends Schema.TaggedError<TooManyWatches>()(
  "TooManyWatches",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
