/** Two processes serve the API over one database, which both open while it is empty. */
import { assert, it } from "vitest"
import * as EmbeddedLectern from "@lectern/core/EmbeddedLectern"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { PostgresStorage } from "@lectern/adapter-postgres/PostgresStorage"
import * as Exchange from "@lectern/exchange/Exchange"
import { Effect, Redacted } from "effect"
import { connect } from "@lectern/http/client"
import { apiHandler } from "@lectern/http/fetch"
import { newStore, useServer } from "./OpenedStore.ts"

useServer()

const secretKey = SecretKey.fromKeys(Redacted.make("k".repeat(40)))

it("two processes share spaces, merges and the search", () =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(newStore, (options) =>
        Effect.promise(async () => {
          const open = () =>
            EmbeddedLectern.open(PostgresStorage.layer({ ...options, secretKey }), {
              background: false,
              extensions: [Exchange.extension()]
            })
          const [first, second] = await Promise.all([open(), open()])
          const { id: ada } = await first.users.create({ email: "ada@example.com", displayName: "Ada" })
          const { id: organizationId } = await second.organizations.create({ title: "Acme" }, ada)
          const { info, token } = await first.tokens.create(ada)
          const handlers = await Promise.all([first, second].map((lectern) => apiHandler(lectern)))
          const [one, other] = handlers.map((handler) =>
            connect({
              baseUrl: "http://lectern.test",
              token,
              fetch: (input, init) => handler.fetch(new Request(input, init))
            })
          )
          const { id: spaceId } = await one!.spaces.create({
            params: { organizationId },
            payload: { title: "Handbook" }
          })
          const draft = await other!.changeRequests.create({ params: { spaceId }, payload: {} })
          const params = { spaceId, changeRequestId: draft.id }
          const document = { markdown: "It is good that you are here." }
          const changes = [{ operation: "insert_page" as const, title: "Welcome", document }]
          await one!.changeRequests.write({ params, payload: { changes } })
          assert.strictEqual((await other!.changeRequests.merge({ params })).result, "merge")
          for (const client of [one!, other!]) {
            const { pages } = await client.spaceContent.pages({ params: { spaceId } })
            assert.deepStrictEqual(
              pages.map(({ title }) => title),
              ["Welcome"]
            )
            const { items } = await client.search.space({
              params: { spaceId },
              query: { query: "good that you are h" }
            })
            assert.deepStrictEqual(
              items.map(({ title }) => title),
              ["Welcome"]
            )
          }
          await second.tokens.revoke(info.id)
          const status = await one!.spaces
            .get({ params: { spaceId } })
            .catch((error: { status: number }) => error.status)
          assert.strictEqual(status, 401)
          for (const handler of handlers) await handler.close()
          for (const lectern of [first, second]) await lectern.close()
        })
      )
    )
  ))
