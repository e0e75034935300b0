import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import { Checkpoints } from "@lectern/adapter-memory/Checkpoints"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { BlobStore } from "@lectern/core/storage/BlobStore"
import type { BlobHash } from "@lectern/core/storage/BlobStore"
import { Storage } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"

it("sets everything back, as often as it is asked to, and what is kept in memory with it", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true })
  const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
  const { id: eve } = await lectern.users.create({ email: "eve@example.com" })
  const { id: organization } = await lectern.organizations.create({ title: "Acme" }, ada)
  const { id: space } = await lectern.spaces.create(organization, { title: "Handbook" })
  const write = async (title: string) => {
    const { id } = await lectern.changeRequests.create(space, {})
    await lectern.changeRequests.content.write(space, id, [
      { operation: "insert_page", title, document: { markdown: `${title} tells of lanterns` } }
    ])
    await lectern.changeRequests.content.merge(space, id)
  }
  await write("Lamps")
  const found = async () => (await lectern.search.space(space, "lanterns", {})).items.map(({ title }) => title)
  const isSeen = (user: string) =>
    lectern
      .as(user)
      .spaces.get(space)
      .then(
        () => true,
        () => false
      )
  const setBack = await lectern.checkpoint()

  for (const title of ["Candles", "Torches"]) {
    assert.deepStrictEqual(await found(), ["Lamps"])
    assert.isFalse(await isSeen(eve))
    await write(title)
    await lectern.organizations.join(organization, eve, "admin")
    assert.isTrue(await isSeen(eve))
    assert.sameMembers(await found(), ["Lamps", title])
    await lectern.spaces.remove(space)
    assert.isDefined((await lectern.spaces.get(space)).deletedAt)
    await setBack()
    assert.isUndefined((await lectern.spaces.get(space)).deletedAt)
  }
  assert.deepStrictEqual(await found(), ["Lamps"])
  assert.isFalse(await isSeen(eve))
  await lectern.close()
})

const Note = Schema.Struct({ id: Schema.String, name: Schema.String })
const NoteTable = Table.make("note", Note, { key: ["id"], unique: [["name"]] })

it.layer(MemoryStorage.layerWith({}))("A store in memory", (it) => {
  it.effect("frees what was taken since a checkpoint, and takes back what was freed", () =>
    Effect.gen(function* () {
      const notes = (yield* Storage).repository(NoteTable)
      const blobs = yield* BlobStore
      const hash = "a".repeat(64) as BlobHash
      yield* notes.insert({ id: "1", name: "first" })
      const setBack = yield* (yield* Checkpoints).create
      yield* notes.remove({ id: "1" })
      yield* notes.insert({ id: "2", name: "first" })
      yield* blobs.put(hash, new Uint8Array([1]))
      yield* setBack
      assert.deepStrictEqual(yield* notes.list({ where: {} }), [{ id: "1", name: "first" }])
      assert.isUndefined(yield* blobs.get(hash))
      assert.strictEqual((yield* Effect.flip(notes.insert({ id: "3", name: "first" })))._tag, "UniqueConflict")
      yield* notes.insert({ id: "2", name: "second" })
    })
  )

  it.effect("refuses a checkpoint from before a table was described anew", () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const setBack = yield* (yield* Checkpoints).create
      yield* storage.repository(Table.make("note", Note, { key: ["id"] })).count({})
      assert.strictEqual((yield* Effect.exit(setBack))._tag, "Failure")
    })
  )
})
