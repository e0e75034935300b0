/** A check finds everything that is lost or damaged in a store, and nothing else. */
import { assert, it } from "@effect/vitest"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { RevisionTable } from "@lectern/core/content/revisions/Revision"
import { check } from "@lectern/core/content/store/ContentCheck"
import { collect } from "@lectern/core/content/store/GarbageCollection"
import { MemberTable } from "@lectern/core/organization/Member"
import { OrganizationTable } from "@lectern/core/organization/Organization"
import { rebuild } from "@lectern/core/search/indexing/SearchRebuild"
import { SearchStateTable } from "@lectern/core/search/SearchState"
import { SpaceTable } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { BlobStore } from "@lectern/core/storage/BlobStore"
import { Hasher } from "@lectern/core/storage/Hasher"
import { type ObjectHash, ObjectStore } from "@lectern/core/storage/ObjectStore"
import { SearchIndex } from "@lectern/core/storage/SearchIndex"
import { Storage } from "@lectern/core/storage/Storage"
import type * as Table from "@lectern/core/storage/Table"
import { UserId } from "@lectern/core/user/User"
import { Effect, Result } from "effect"
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

    it.effect("tells which rows name others that are missing, and garbage is left alone where a revision is", () =>
      Effect.gen(function* () {
        const storage = yield* Storage
        const here = yield* organization
        const { id: space } = yield* (yield* Spaces).create(here, {})
        const { id } = yield* (yield* ChangeRequests).create(space, {})
        const contents = yield* ChangeRequestContents
        yield* contents.write(space, id, [
          { operation: "insert_page", title: "One", document: { markdown: "Text of one" } }
        ])
        yield* contents.merge(space, id)
        assert.deepStrictEqual((yield* check).dangling, [])

        const without = Effect.fnUntraced(function* <T extends Table.Table>(table: T, id: string) {
          const rows = storage.repository<Table.Table>(table)
          const row = yield* rows.get({ id })
          yield* rows.remove({ id } as never)
          const found = yield* check
          assert.strictEqual(found.danglingCount, found.dangling.length)
          const swept = yield* Effect.result(collect())
          yield* rows.insert(row)
          return { dangling: found.dangling, isSwept: Result.isSuccess(swept) }
        })
        const { revision } = (yield* storage.repository(SpaceTable).get({ id: space }))!
        const named = { to: "revision", id: revision }
        const main = yield* without(RevisionTable, revision)
        assert.includeDeepMembers(
          [...main.dangling],
          [
            { from: "space", key: space, ...named },
            { from: "changeRequest", key: id, ...named }
          ]
        )
        assert.isFalse(main.isSwept)

        const members = storage.repository(MemberTable)
        const user = UserId.make("nobody")
        const joinedAt = (yield* storage.repository(OrganizationTable).get({ id: here }))!.createdAt
        yield* members.insert({ organization: here, user, role: null, disabled: false, joinedAt })
        const key = `${here} ${user}`
        const lone = yield* without(OrganizationTable, here)
        assert.includeDeepMembers(
          [...lone.dangling],
          [
            { from: "space", key: space, to: "organization", id: here },
            { from: "member", key, to: "organization", id: here }
          ]
        )
        assert.isTrue(lone.isSwept)
        assert.deepInclude(lone.dangling, { from: "member", key, to: "user", id: user })
        yield* members.remove({ organization: here, user })
        const bare = yield* without(SpaceTable, space)
        assert.deepInclude(bare.dangling, { from: "revision", key: revision, to: "space", id: space })
        assert.deepStrictEqual((yield* check).dangling, [])

        const index = yield* SearchIndex
        const [page] = yield* index.pages(space, { limit: 1 })
        yield* storage.transaction(
          index.change(space, [
            { page: page!, words: undefined },
            { page: "other", words: [["word"]] }
          ])
        )
        const { misindexed, unindexed } = yield* check
        assert.notInclude(unindexed, space)
        assert.deepStrictEqual(misindexed, [{ space, lacking: 1, surplus: 1 }])

        const read: Array<string> = []
        assert.isAtLeast(yield* rebuild(({ space }) => Effect.sync(() => void read.push(space))), 2)
        assert.include(read, space)
        const mended = yield* check
        assert.deepStrictEqual([mended.misindexed, mended.unindexed], [[], []])
        assert.deepStrictEqual(yield* index.pages(space, { limit: 10 }), [page!])
      })
    )
  })
}
