/**
 * Two servers over one store that answers late. Each sees at once what the other one has committed, and a cached response
 * costs one message that is shared. Messages are counted at the store, so nothing depends on speed.
 */
import { assert, describe, it } from "@effect/vitest"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import * as Lectern from "@lectern/core/Lectern"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Spaces } from "@lectern/core/space/Spaces"
import { Tokens } from "@lectern/core/token/Tokens"
import { Users } from "@lectern/core/user/Users"
import * as Exchange from "@lectern/exchange/Exchange"
import * as HttpApp from "@lectern/http/server/HttpApp"
import { ResponseCacheOptions } from "@lectern/http/server/cache/ResponseCache"
import * as WebHandler from "@lectern/http/server/WebHandler"
import { Context, Effect, Layer, Redacted } from "effect"
import * as LateStorage from "../../../adapter-memory/test/late/LateStorage.ts"

const cached = { bytes: 1024 * 1024, admitFirst: true }
const concurrently = { concurrency: "unbounded" } as const

const makeServer = Effect.fnUntraced(function* (ports: Context.Context<Lectern.Ports>) {
  const layer = Lectern.layer({ extensions: [Exchange.extension()] }).pipe(
    Layer.provideMerge(Layer.succeedContext(ports)),
    Layer.fresh
  )
  const services = Context.add(yield* Layer.build(layer), CurrentActor, host)
  const app = yield* HttpApp.make.pipe(
    Effect.provideService(ResponseCacheOptions, cached),
    Effect.provideContext(services)
  )
  const respond = yield* Effect.provideContext(WebHandler.make(app), services)
  const request = (token: string, url: string, init: RequestInit = {}) =>
    new Request(`http://127.0.0.1${url}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" }
    })
  return {
    services,
    send: (token: string, url: string, init?: RequestInit) =>
      Effect.promise(async () => {
        const response = await respond(request(token, url, init))
        return { status: response.status, text: await response.text() }
      })
  }
})

const world = Effect.gen(function* () {
  const { clients, server: store } = yield* LateStorage.serverWithClients({ seed: 1, turns: 2 })
  const first = yield* makeServer(clients[0])
  const second = yield* makeServer(clients[1])
  const set = Effect.gen(function* () {
    const user = yield* (yield* Users).create({ email: "ada@example.com", displayName: "Ada" })
    const organization = yield* (yield* Organizations).create({ title: "Acme" }, user.id)
    const space = yield* (yield* Spaces).create(organization.id, { title: "Handbook" })
    const tokens = yield* Tokens
    const [token, other] = [yield* tokens.create(user.id), yield* tokens.create(user.id)]
    return {
      organization,
      space,
      token: Redacted.value(token.token),
      info: token.info,
      other: Redacted.value(other.token)
    }
  })
  const made = yield* Effect.provideContext(set, first.services)
  /** Returns the result of an effect, with the messages that the store handled meanwhile. */
  const counted = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const before = { ...store.handled }
      return Effect.map(effect, (result) => {
        const { learn, fetch, commit } = store.handled
        return [
          result,
          { learn: learn - before.learn, fetch: fetch - before.fetch, commit: commit - before.commit }
        ] as const
      })
    })
  return { first, second, counted, ...made }
})

describe("Servers over one store", () => {
  it.effect("a cached response costs one message, and concurrent requests share it", () =>
    Effect.gen(function* () {
      const { counted, second, space, token, other } = yield* world
      const get = second.send(token, `/v1/spaces/${space.id}`)
      const fresh = yield* get
      assert.strictEqual(fresh.status, 200)
      for (let i = 0; i < 3; i++) {
        const [again, messages] = yield* counted(get)
        assert.deepStrictEqual(again, fresh)
        assert.deepStrictEqual(messages, { learn: 1, fetch: 0, commit: 0 })
      }
      const [all, messages] = yield* counted(
        Effect.all(
          Array.from({ length: 40 }, () => get),
          concurrently
        )
      )
      for (const response of all) assert.deepStrictEqual(response, fresh)
      assert.deepStrictEqual(messages, { learn: 1, fetch: 0, commit: 0 })
      // A response that is not cached asks for commits once, too.
      const [, uncached] = yield* counted(second.send(other, `/v1/spaces/${space.id}?expand=permissions`))
      assert.strictEqual(uncached.learn, 1)
    })
  )

  it.effect("a token that one server revokes is refused by the other at once", () =>
    Effect.gen(function* () {
      const { first, second, space, token, other, info } = yield* world
      const urls = [`/v1/spaces/${space.id}`, "/v1/user"]
      for (const url of urls)
        for (let i = 0; i < 2; i++) assert.strictEqual((yield* second.send(token, url)).status, 200)
      yield* Effect.provideContext(
        Effect.flatMap(Tokens, (tokens) => tokens.revoke(info.id)),
        first.services
      )
      const answers = yield* Effect.all(
        urls.flatMap((url) => [second.send(token, url), second.send(token, url)]),
        concurrently
      )
      for (const { status } of answers) assert.strictEqual(status, 401)
      assert.strictEqual((yield* second.send(other, urls[0]!)).status, 200)
    })
  )

  it.effect("a response is cached until the other server writes to it, and not longer", () =>
    Effect.gen(function* () {
      const { counted, first, second, organization, space, token } = yield* world
      const url = `/v1/spaces/${space.id}`
      const get = second.send(token, url)
      yield* get
      const unrelated = yield* first.send(token, `/v1/orgs/${organization.id}/spaces`, {
        method: "POST",
        body: JSON.stringify({ title: "Other" })
      })
      assert.strictEqual(unrelated.status, 201)
      const [, messages] = yield* counted(get)
      assert.deepStrictEqual(messages, { learn: 1, fetch: 0, commit: 0 })
      for (const title of ["A", "B", "C"]) {
        const init = { method: "PATCH", body: JSON.stringify({ title }) }
        assert.strictEqual((yield* first.send(token, url, init)).status, 200)
        for (const { text } of yield* Effect.all([get, get, get], concurrently)) {
          assert.strictEqual((JSON.parse(text) as { readonly title: string }).title, title)
        }
      }
    })
  )
})
