/** A check finds everything that is lost or damaged in a store, and nothing else. */
import { assert, it } from "@effect/vitest"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { check } from "@lectern/core/content/store/ContentCheck"
import { SearchStateTable } from "@lectern/core/search/SearchState"
import { Spaces } from "@lectern/core/space/Spaces"
import { BlobStore } from "@lectern/core/storage/BlobStore"
import { Hasher } from "@lectern/core/storage/Hasher"
import { type ObjectHash, ObjectStore } from "@lectern/core/storage/ObjectStore"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { onEach } from "../../Adapters.ts"
import { adapters, organization } from "../../Instances.ts"

for (const [name, layer] of onEach(adapters)) {
  it.layer(layer)(`ContentCheck (${name})`, (it) => {
    it.effect("tells what is lost, what nothing reaches and which index is behind", () =>
      Effect.gen(function* () {
        const objects = yield* ObjectStore
        const blobs = yield* BlobStore
        const { id: space } = yield* (yield* Spaces).create(yield* organization, {})
        const { id } = yield* (yield* ChangeRequests).create(space, {})
        const contents = yield* ChangeRequestContents
        yield* contents.write(space, id, [
          { operation: "insert_page", title: "One", document: { markdown: "Text of one" } },
          { operation: "insert_page", title: "Two", document: { markdown: "Text of two" } },
          { operation: "insert_files", files: [{ name: "f.txt", base64: btoa("bytes") }] }
        ])
        yield* contents.merge(space, id)
        const sound = yield* check
        assert.deepStrictEqual(sound.lost, [])
        assert.deepStrictEqual(sound.unindexed, [])
        assert.isAbove(sound.objects, 4)
        assert.isAtLeast(sound.blobs, 1)

        const text = JSON.stringify({ nobody: "needs this" })
        const orphan = (yield* Hasher).sha256(text) as ObjectHash
        yield* objects.put([{ hash: orphan, text }])
        const wrong = "a".repeat(43) as ObjectHash
        yield* objects.put([{ hash: wrong, text: "{}" }])
        yield* (yield* Storage).repository(SearchStateTable).update({ space }, { words: 0 })
        const [blob] = yield* blobs.list({ limit: 1 })
        const bytes = (yield* blobs.get(blob!.hash))!
        yield* blobs.remove([blob!.hash], Infinity)
        const found = yield* check
        assert.deepStrictEqual(found.lost, [{ kind: "blob", hash: blob!.hash }])
        assert.deepStrictEqual(found.unindexed, [space])
        assert.strictEqual(found.orphans.objects, sound.orphans.objects + 1)
        yield* blobs.put(blob!.hash, bytes)

        // Whatever is taken away is missed, unless nothing reaches it.
        const all = yield* objects.list({ limit: 1_000 })
        let missed = 0
        for (const { hash } of all) {
          const [text] = yield* objects.get([hash])
          yield* objects.remove([hash], Infinity)
          const { lost, lostCount } = yield* check
          assert.strictEqual(lostCount, lost.length)
          if (lost.length > 0) {
            missed++
            assert.deepInclude(lost, { kind: "object", hash })
          }
          yield* objects.put([{ hash, text: text! }])
        }
        assert.strictEqual(missed, all.length - 1 - found.orphans.objects)
      })
    )
  })
}
