/**
 * Paginated lists with opaque cursors. A cursor holds the order values of the last item, or the ids of items around the
 * end of the page. It is signed together with the list's name, so that an edited cursor, or one of another list, is
 * rejected. Pages neither skip nor repeat items that stay while others come and go.
 */
import { Context, Effect, Schema, Layer } from "effect"
import { Base64Url } from "effect/encoding"
import { Instance } from "../identity/Instance.ts"
import { timingSafeEqual } from "../identity/TimingSafe.ts"
import { defaultLimit, maxLimit, type PageParams } from "../storage/PageParams.ts"
import { Slice } from "../storage/Slice.ts"
import * as Storage from "../storage/Storage.ts"
import type { Scalar, Table } from "../storage/Table.ts"

/** Maximum size of the items of a page (characters of JSON). The first item is always included. */
export const maxSize = 4 * 1024 * 1024
/** Number of rows in the first read if rows may be large. Doubles for each further read while rows are small. */
const initialBatchSize = 25
/** Maximum average size (characters of JSON) of rows that count as small. */
const smallRowSize = 4 * 1024

/** Number of ids before and after the end of a page in a cursor, for lists without order values. */
const rememberedIds = 8
/** Separates ids in a cursor. Ids never contain it. */
const idSeparator = "\n"

export interface ListPage<A> {
  readonly items: ReadonlyArray<A>
  /** Number of items in the whole list. */
  readonly count: number
  /** Cursor of the next page. Absent on the last page. */
  readonly next?: { readonly page: string }
}

type SizesOf<T extends Table> = (
  rows: ReadonlyArray<Table.Row<T>>
) => Effect.Effect<ReadonlyArray<number>, Storage.StorageError>

/** Raised if a cursor was not issued by this instance for this list. */
export class InvalidCursor extends Schema.TaggedError<InvalidCursor>()(
  "InvalidCursor",
  { message: Schema.String },
  { httpApiStatus: 400 }
) {}

/** Returns the number of items of a page. A limit of a host may have any value. */
const limitOf = ({ limit = defaultLimit }: PageParams): number =>
  Number.isNaN(limit) ? defaultLimit : Math.trunc(Math.min(Math.max(limit, 1), maxLimit))

const invalidCursor = new InvalidCursor({
  message: "Invalid page cursor: it was not issued by this list. Start again without `page`"
})

export class Paging extends Context.Service<
  Paging,
  {
    /**
     * Returns a page of rows. `list` names the list and its filters; cursors are bound to it. `sizesOf` returns the
     * JSON length of each row's response, for lists whose items may be large.
     */
    readonly rows: <T extends Table>(
      table: T,
      list: string,
      query: Omit<Storage.Query<T>, "after" | "limit">,
      params: PageParams,
      sizesOf?: SizesOf<T>
    ) => Effect.Effect<ListPage<Table.Row<T>>, InvalidCursor | Storage.StorageError>
    /** Returns a page of items in memory, ordered by key, ascending or descending. */
    readonly items: <A>(
      items: ReadonlyArray<A>,
      list: string,
      key: (item: A) => string,
      params: PageParams,
      order?: { readonly descending: boolean }
    ) => Effect.Effect<ListPage<A>, InvalidCursor>
    /**
     * Returns a page of items that `read` loads after a position, at most `limit`. `place` returns the position of an
     * item, which the cursor stores.
     */
    readonly after: <A, E, R>(
      read: (place: string | undefined, limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>,
      list: string,
      place: (item: A) => string,
      count: Effect.Effect<number, E, R>,
      params: PageParams
    ) => Effect.Effect<ListPage<A>, InvalidCursor | E, R>
    /** Returns a page of items in memory whose order does not follow from their ids. */
    readonly inOrder: <A>(
      items: ReadonlyArray<A>,
      list: string,
      id: (item: A) => string,
      params: PageParams
    ) => Effect.Effect<ListPage<A>, InvalidCursor>
  }
>()("@lectern/core/paging/Paging") {
  static readonly layer = Layer.effect(
    Paging,
    Effect.gen(function* () {
      const storage = yield* Storage.Storage
      const instance = yield* Instance

      const signatureOf = (list: string, payload: string) => instance.sign("cursor", `${list}\n${payload}`).slice(0, 22)

      const createCursor = (list: string, values: ReadonlyArray<Scalar>) => {
        const payload = Base64Url.encode(JSON.stringify(values))
        return `${payload}.${signatureOf(list, payload)}`
      }

      const readCursor = (list: string, cursor: string): Effect.Effect<ReadonlyArray<Scalar>, InvalidCursor> => {
        const [payload = "", signature = "", ...rest] = cursor.length > 4096 ? [] : cursor.split(".")
        if (rest.length > 0 || !timingSafeEqual(signatureOf(list, payload), signature)) {
          return Effect.fail(invalidCursor)
        }
        return Base64Url.decodeString(payload).pipe(
          Effect.fromResult,
          Effect.map((text) => JSON.parse(text) as ReadonlyArray<Scalar>),
          Effect.mapError(() => invalidCursor)
        )
      }

      const readRows = <T extends Table>(
        table: T,
        query: Omit<Storage.Query<T>, "after" | "limit">,
        after: ReadonlyArray<Scalar> | undefined,
        limit: number
      ) =>
        Effect.map(storage.repository(table).list({ ...query, ...(after && { after }), limit: limit + 1 }), (rows) => ({
          items: rows.slice(0, limit),
          hasMore: rows.length > limit
        }))

      const readLargeRows = Effect.fnUntraced(function* <T extends Table>(
        table: T,
        query: Omit<Storage.Query<T>, "after" | "limit">,
        after: ReadonlyArray<Scalar> | undefined,
        limit: number,
        sizesOf: SizesOf<T>
      ) {
        const items: Array<Table.Row<T>> = []
        let [size, step, hasMore] = [0, initialBatchSize, true]
        const slice = yield* Slice.start
        while (hasMore && items.length < limit) {
          const position = items.length === 0 ? after : Storage.orderValues(table, query, items.at(-1)!)
          const batch = yield* readRows(table, query, position, Math.min(step, limit - items.length))
          const sizes = yield* sizesOf(batch.items)
          for (const [i, row] of batch.items.entries()) {
            size += sizes[i]!
            if (size > maxSize && items.length > 0) return { items, hasMore: true }
            items.push(row)
          }
          hasMore = batch.hasMore
          if (size <= smallRowSize * items.length) step *= 2
          if (slice.isOver()) yield* slice.pause
        }
        return { items, hasMore }
      })

      return Paging.of({
        rows: Effect.fnUntraced(function* (table, list, query, params, sizesOf) {
          const limit = limitOf(params)
          const after = params.page === undefined ? undefined : yield* readCursor(list, params.page)
          const { items, hasMore } = yield* sizesOf === undefined
            ? readRows(table, query, after, limit)
            : readLargeRows(table, query, after, limit, sizesOf)
          // If the first page is the only one, its items are counted without a query.
          const count =
            after === undefined && !hasMore ? items.length : yield* storage.repository(table).count(query.where)
          return hasMore
            ? { items, count, next: { page: createCursor(list, Storage.orderValues(table, query, items.at(-1)!)) } }
            : { items, count }
        }),
        items: Effect.fnUntraced(function* (items, list, key, params, order) {
          const limit = limitOf(params)
          const after = params.page === undefined ? undefined : String((yield* readCursor(list, params.page))[0])
          const isAfterCursor = (item: (typeof items)[number]) =>
            order?.descending === true ? key(item) < after! : key(item) > after!
          const start = after === undefined ? 0 : items.findIndex(isAfterCursor)
          const page = start === -1 ? [] : items.slice(start, start + limit)
          return start === -1 || start + limit >= items.length
            ? { items: page, count: items.length }
            : { items: page, count: items.length, next: { page: createCursor(list, [key(page.at(-1)!)]) } }
        }),
        after: Effect.fnUntraced(function* (read, list, place, count, params) {
          const limit = limitOf(params)
          const after = params.page === undefined ? undefined : String((yield* readCursor(list, params.page))[0])
          const itemsRead = yield* read(after, limit + 1)
          const items = itemsRead.slice(0, limit)
          if (itemsRead.length <= limit) return { items, count: after === undefined ? items.length : yield* count }
          return { items, count: yield* count, next: { page: createCursor(list, [place(items.at(-1)!)]) } }
        }),
        inOrder: Effect.fnUntraced(function* (items, list, id, params) {
          const limit = limitOf(params)
          const cursorValues = params.page === undefined ? undefined : yield* readCursor(list, params.page)
          const start = cursorValues === undefined ? 0 : indexAfter(items.map(id), cursorValues)
          const page = items.slice(start, start + limit)
          const end = start + page.length
          if (end >= items.length) return { items: page, count: items.length }
          const seenItems = items.slice(Math.max(0, end - rememberedIds), end).toReversed()
          const nextItems = items.slice(end, end + rememberedIds)
          const values = [seenItems.map(id).join(idSeparator), end - 1, nextItems.map(id).join(idSeparator)]
          return { items: page, count: items.length, next: { page: createCursor(list, values) } }
        })
      })
    })
  )
}

/**
 * Returns the index of the first unseen item: after the last seen item that still exists, otherwise at the first of the
 * items that were next. The second case covers clients that delete the items of each page. If no named item exists, the
 * index of the former position applies.
 */
const indexAfter = (ids: ReadonlyArray<string>, [seenIds, place, nextIds = ""]: ReadonlyArray<Scalar>): number => {
  const indexes = new Map(ids.map((id, i) => [id, i]))
  const indexOf = (id: Scalar | undefined) =>
    String(id)
      .split(idSeparator)
      .map((id) => indexes.get(id))
      .find((index) => index !== undefined)
  const last = indexOf(seenIds)
  return last !== undefined ? last + 1 : (indexOf(nextIds) ?? Number(place))
}
