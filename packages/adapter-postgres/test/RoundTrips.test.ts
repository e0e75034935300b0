/** Number of messages that operations send to PostgreSQL if their data is in memory. */
import { assert, it } from "@effect/vitest"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Comments } from "@lectern/core/comment/Comments"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import * as Lectern from "@lectern/core/Lectern"
import { openStore } from "@lectern/adapter-postgres/PostgresStorage"
import { Spaces } from "@lectern/core/space/Spaces"
import { Effect, Layer } from "effect"
import { members } from "../../core/test/Actors.ts"
import { actor } from "../../core/test/Instances.ts"
import { newStore, useServer } from "./OpenedStore.ts"

useServer()

const pages = (title: string) => [{ operation: "insert_page" as const, title, document: { markdown: title } }]

it.live("operations with data in memory", () =>
  Effect.gen(function* () {
    const { connections, stores } = yield* openStore(yield* newStore)
    const services = yield* Layer.build(
      Lectern.layer({}).pipe(
        Layer.provideMerge(Layer.succeedContext(stores)),
        Layer.provideMerge(Layer.fresh(SecretKey.layerInMemory)),
        Layer.merge(actor)
      )
    )
    yield* Effect.gen(function* () {
      /** Returns the numbers of messages that read and that write. */
      const messagesOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.suspend(() => {
          const { read, write } = connections.messages
          return Effect.map(effect, () => ({
            read: connections.messages.read - read,
            write: connections.messages.write - write
          }))
        })
      const { org } = yield* members
      const spaces = yield* Spaces
      const { id: space } = yield* spaces.create(org, {})
      const changeRequests = yield* ChangeRequests
      const contents = yield* ChangeRequestContents
      const comments = yield* Comments
      const edit = (title: string) =>
        Effect.gen(function* () {
          const { id } = yield* changeRequests.create(space, {})
          yield* contents.write(space, id, pages(title))
          return id
        })
      yield* contents.merge(space, yield* edit("first"))
      const id = yield* edit("second")
      yield* spaces.update(space, { title: "First" })
      const post = (text: string) => comments.post({ space, changeRequest: id }, { body: { markdown: text } })
      yield* post("First")
      assert.deepStrictEqual(yield* messagesOf(spaces.update(space, { title: "Second" })), { read: 0, write: 1 })
      // Reads before the transaction are messages of their own.
      assert.strictEqual((yield* messagesOf(post("Second"))).write, 1)
      assert.strictEqual((yield* messagesOf(contents.write(space, id, pages("third")))).write, 1)
      assert.strictEqual((yield* messagesOf(contents.merge(space, id))).write, 1)
    }).pipe(Effect.provideContext(services))
  }).pipe(Effect.scoped)
)
