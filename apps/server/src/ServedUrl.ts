/**
 * Last URL of the server of a data folder. The server stores the URL at each start, so that commands print links to the
 * server, whichever port it uses.
 */
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { cannotConflict, Storage } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { Effect, Layer, Schema } from "effect"

const ServedUrlTable = Table.make(
  "servedUrl",
  Schema.Struct({ id: Schema.Literal("served-url"), url: Schema.String }),
  {
    key: ["id"]
  }
)

const key = { id: "served-url" } as const

export const layer = Layer.effect(
  PublicUrl,
  Effect.gen(function* () {
    const row = yield* (yield* Storage).repository(ServedUrlTable).get(key)
    return row?.url ?? (yield* PublicUrl)
  })
)

export const note = Effect.fnUntraced(function* (url: string) {
  const storage = yield* Storage
  const urls = storage.repository(ServedUrlTable)
  if ((yield* urls.get(key))?.url === url) return
  yield* storage.transaction(
    Effect.gen(function* () {
      if ((yield* urls.update(key, { url })) === 0) yield* urls.insert({ ...key, url }).pipe(cannotConflict)
    })
  )
})
