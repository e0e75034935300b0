/**
 * Claims due receivers of deliveries, as far as they get a slot (see `DeliverySlots`). A receiver is a leased row with
 * waiting events: an installation of an integration, or a webhook.
 *
 * Newly due receivers are claimed every 250 ms, all in one transaction.
 */
import { Clock, Effect } from "effect"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, orderValues, type Storage, type StorageError } from "../storage/Storage.ts"
import type { Table } from "../storage/Table.ts"
import { type DeliverySlots, quickSlots } from "./DeliverySlots.ts"
import * as Lease from "./Lease.ts"
import * as LeasedWork from "./LeasedWork.ts"
import type { Claimant, Claims } from "./WorkLoop.ts"

const pageSize = 2 * quickSlots
/**
 * Number of pages of due receivers that one poll reads. The first pages may hold only receivers without a free slot.
 */
const maxPages = 20
/** Interval between claims in ms. Receivers that become due in between are claimed in one transaction. */
const claimInterval = 250
/** Interval between claims in ms while a due receiver waits for a slot. */
const shortClaimInterval = 20

/** Row of a receiver. Its table has the field `due`, the end of the lease, and an index on its group and `due`. */
interface ReceiverRow extends LeasedWork.LeasedRow {
  readonly receiver: string
}

/** Cursor of a page of due receivers. Undefined for the first page. */
type PageCursor = ReturnType<typeof orderValues> | undefined

/** Returns ranges of values of the group field that cover all groups except the given ones. */
const rangesExcept = (field: string, groups: ReadonlyArray<string>) => {
  const sortedGroups = groups.toSorted()
  if (sortedGroups.length === 0) return [{}]
  return [undefined, ...sortedGroups].map((previousGroup, i) => ({
    [field]: {
      ...(previousGroup !== undefined && { gt: previousGroup }),
      ...(i < sortedGroups.length && { lt: sortedGroups[i]! })
    }
  }))
}

export interface ReceiverClaimsOptions<T extends LeasedWork.LeasedTable> {
  readonly table: T
  /** Field of the group, whose receivers share slots. */
  readonly group: keyof Table.Row<T> & string
  readonly slots: DeliverySlots
  /** Runs before each claim. */
  readonly before: Effect.Effect<unknown, StorageError>
}

/** Returns the function that claims due receivers (see `WorkSource.claim`). */
export const makeReceiverClaims = <T extends LeasedWork.LeasedTable>(
  storage: Storage["Service"],
  { table, group, slots, before }: ReceiverClaimsOptions<T>
) => {
  // The fields of the table are known only by name.
  const receivers = storage.repository(table as LeasedWork.LeasedTable)

  /**
   * Acquires slots for due receivers of a page. Returns the cursor of the next page, or undefined if no further page is
   * needed.
   */
  const acquirePage = Effect.fnUntraced(function* (now: number, after: PageCursor, acquired: Array<string>) {
    const due = { lte: Timestamps.at(now) }
    const where = rangesExcept(group, slots.saturatedGroups()).map((range) => ({ ...range, due }))
    const dueReceivers: ReadonlyArray<ReceiverRow & Record<string, string>> = yield* receivers.list({
      where,
      order: ["due"],
      limit: pageSize,
      ...(after && { after })
    })
    for (const row of dueReceivers) if (slots.acquire(row.receiver, row[group]!, now)) acquired.push(row.receiver)
    return dueReceivers.length < pageSize || slots.isFull
      ? undefined
      : orderValues(table as LeasedWork.LeasedTable, { where, order: ["due"] }, dueReceivers.at(-1)!)
  })

  const claimAll = Effect.fnUntraced(function* (
    acquired: ReadonlyArray<string>,
    now: Timestamp,
    { holder, duration }: Claimant
  ) {
    const claimed: Array<Table.Row<T>> = []
    for (const row of yield* receivers.getMany(acquired.map((receiver) => ({ receiver })))) {
      if (row === undefined || !Lease.isExpired(row.lease, now)) continue
      const patch = LeasedWork.claim(row, holder, now, duration)
      yield* receivers.update({ receiver: row.receiver }, patch).pipe(cannotConflict)
      claimed.push({ ...row, ...patch })
    }
    return claimed
  })

  /**
   * Claims the due receivers that get a slot. Receivers without a free slot may come before receivers with one, so
   * several pages are read.
   */
  const claimDue = Effect.fnUntraced(function* (millis: number, claimant: Claimant) {
    const acquired: Array<string> = []
    const claimedReceivers = new Set<string>()
    return yield* Effect.gen(function* () {
      let after: PageCursor
      for (let page = 0; page < maxPages; page++) {
        after = yield* acquirePage(millis, after, acquired)
        if (after === undefined) break
      }
      const claimed =
        acquired.length === 0 ? [] : yield* storage.transaction(claimAll(acquired, Timestamps.at(millis), claimant))
      for (const { receiver } of claimed) claimedReceivers.add(receiver)
      return claimed
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          for (const receiver of acquired) if (!claimedReceivers.has(receiver)) slots.release(receiver)
        })
      )
    )
  })

  let claimedAt = -Infinity
  return Effect.fnUntraced(function* (claimant: Claimant) {
    const now = yield* Clock.currentTimeMillis
    const interval = slots.hasUnserved ? shortClaimInterval : claimInterval
    if (claimant.mode === "standing" && Math.abs(now - claimedAt) < interval) {
      const wait: Claims<Table.Row<T>> = { items: [], nextAt: claimedAt + interval }
      return wait
    }
    claimedAt = now
    slots.update(now)
    yield* before
    const items = yield* claimDue(now, claimant)
    if (items.length > 0) return { items }
    const later = { due: { gt: Timestamps.at(now) } }
    const [next] = yield* receivers.list({ where: later, order: ["due"], limit: 1 })
    // A slot becomes free for another receiver when its receiver turns out to be slow.
    const slotAt = slots.hasUnserved ? now + claimInterval : Infinity
    return { items, nextAt: Math.min(slotAt, next === undefined ? Infinity : Date.parse(next.lease.until)) }
  })
}
