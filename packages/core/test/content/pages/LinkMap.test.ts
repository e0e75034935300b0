import { assert, describe, it } from "@effect/vitest"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import * as GarbageCollection from "@lectern/core/content/store/GarbageCollection"
import { Links } from "@lectern/core/link/Links"
import { Objects } from "@lectern/core/content/store/Objects"
import * as Lectern from "@lectern/core/Lectern"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { newSpace, revisionOf } from "../../../../exchange/test/import/Imports.ts"

/** Without a cache, so that what was swept is missed. */
const Instance = Lectern.layer({ objectCacheBytes: 0 }).pipe(Layer.provideMerge(MemoryStorage.testLayer))

describe("LinkMap", () => {
  it.effect("keeps many links of a page in an object of its own, which the collection of garbage spares", () =>
    Effect.gen(function* () {
      const space = yield* newSpace
      const { id } = yield* (yield* ChangeRequests).create(space, {})
      const links = Array.from({ length: 200 }, (_, i) => `[${i}](https://example.com/${i})`)
      const contents = yield* ChangeRequestContents
      yield* contents.write(space, id, [
        { operation: "insert_page", title: "Many", document: { markdown: links.join(" ") } },
        { operation: "insert_page", title: "Few", document: { markdown: links[0]! } }
      ])
      yield* contents.merge(space, id)

      yield* TestClock.adjust("3 days")
      yield* GarbageCollection.collect()
      const { content } = yield* revisionOf(space)
      const kept = yield* (yield* Objects).read<object>(content.links!)
      assert.match(JSON.stringify(kept), /\["[\w-]{43}"\]/)
      const { count, stats } = yield* (yield* Links).ofSpace({ space }, { limit: 1 })
      assert.deepStrictEqual([count, stats.total], [200, 200])
    }).pipe(Effect.provideService(CurrentActor, host), Effect.provide(Instance))
  )
})
