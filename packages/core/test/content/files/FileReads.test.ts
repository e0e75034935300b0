/** Lists of the files of a space. */
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { Contents } from "@lectern/core/content/Contents"
import { LiveContents } from "@lectern/core/content/live/LiveContents"
import * as Lectern from "@lectern/core/Lectern"
import { Spaces } from "@lectern/core/space/Spaces"
import { Hasher } from "@lectern/core/storage/Hasher"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { actor, organization } from "../../Instances.ts"

let signed = 0
/** Counts what is signed. */
const hasher = Layer.effect(
  Hasher,
  Effect.map(Hasher, (inner) =>
    Hasher.of({
      ...inner,
      hmac: (secret, data) => {
        signed++
        return inner.hmac(secret, data)
      }
    })
  )
).pipe(Layer.provide(NodeHasher.layer))

const services = Lectern.layer({ hasher }).pipe(Layer.provideMerge(MemoryStorage.testLayer), Layer.merge(actor))

describe("Files of a space", () => {
  it.effect("have URLs made for those that are answered alone", () =>
    Effect.gen(function* () {
      const contents = yield* Contents
      const { id: space } = yield* (yield* Spaces).create(yield* organization, { title: "Docs" })
      const files = Array.from({ length: 20 }, (_, i) => ({ name: `${i}.txt`, base64: "YQ==" }))
      yield* (yield* LiveContents).write(space, [{ operation: "insert_files", files }])
      const located = yield* contents.locate({ space })
      const before = signed
      const { items, count } = yield* contents.files(located, { limit: 2 })
      // One for the cursor of the next page.
      assert.isAtMost(signed - before, 3)
      assert.strictEqual(count, 20)
      assert.deepStrictEqual(
        items.map(({ object }) => object),
        ["file", "file"]
      )
    }).pipe(Effect.provide(services))
  )
})
