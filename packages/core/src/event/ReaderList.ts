/** Lists readers of events as background work, with their position and lag, and retries failed ones. */
import { Effect } from "effect"
import * as LeasedWork from "../job/LeasedWork.ts"
import { leasedItem, readerKind, type WorkItem, type WorkList } from "../job/WorkItem.ts"
import { Storage } from "../storage/Storage.ts"
import { EventTable } from "./Event.ts"
import { type EventReaderRow, EventReaderTable } from "./EventReader.ts"
import { Events } from "./Events.ts"

export const readerPrefix = "reader:"

export const makeReaderList = Effect.gen(function* () {
  const storage = yield* Storage
  const { signal } = yield* Events
  const readers = storage.repository(EventReaderTable)
  const events = storage.repository(EventTable)

  const present = Effect.fnUntraced(function* (row: EventReaderRow) {
    const lag = yield* events.count({ id: { gt: row.after } })
    const item: WorkItem = {
      id: readerPrefix + row.reader,
      kind: readerKind,
      ...leasedItem(row),
      position: row.after,
      lag
    }
    return item
  })

  const keyOf = (id: string) => ({ reader: id.slice(readerPrefix.length) })

  const list: WorkList = {
    list: Effect.fnUntraced(function* (status, limit) {
      const items = yield* Effect.forEach(yield* readers.list({ where: {} }), present)
      return items.filter((item) => item.status === status).slice(0, limit)
    }),

    get: Effect.fnUntraced(function* (id) {
      const row = yield* readers.get(keyOf(id))
      return row && (yield* present(row))
    }),

    retry: (id) => Effect.tap(LeasedWork.retry(storage, EventReaderTable, keyOf(id)), signal.open)
  }
  return list
})
