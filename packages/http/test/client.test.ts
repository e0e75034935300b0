/** The client against the real handler, in place of a network. */
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import * as Exchange from "@lectern/exchange/Exchange"
import { connect, make, type PromiseClient, RequestFailed, RequestRefused } from "@lectern/http/client"
import { apiHandler } from "@lectern/http/fetch"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { endpoints } from "./Endpoints.ts"

let lectern: EmbeddedLectern<Exchange.Exchange>
let answer: typeof fetch
let client: PromiseClient
let token: string
let organizationId: string

const baseUrl = "http://lectern.test/"

beforeAll(async () => {
  lectern = await MemoryLectern.open({
    rerunBodies: true,
    publicUrl: "http://lectern.test",
    extensions: [Exchange.extension()]
  })
  const handler = await apiHandler(lectern)
  answer = (input, init) => handler.fetch(new Request(input, init))
  const { id: ada } = await lectern.users.create({ email: "ada@example.com", displayName: "Ada" })
  organizationId = (await lectern.organizations.create({ title: "Acme" }, ada)).id
  token = (await lectern.tokens.create(ada)).token
  client = connect({ baseUrl, token, fetch: answer })
})

afterAll(() => lectern.close())

const refusal = async (promise: Promise<unknown>): Promise<RequestRefused> => {
  const error = await promise.then(
    () => assert.fail("the request was not refused"),
    (error: unknown) => error
  )
  assert.instanceOf(error, RequestRefused)
  return error
}

it("has every operation of the interface", () => {
  const operations = Object.entries(client).flatMap(([group, members]) =>
    Object.keys(members).map((id) => `${group}.${id}`)
  )
  assert.sameMembers(
    operations,
    endpoints.map(({ name }) => name)
  )
})

it("writes a page through a change request and reads it back", async () => {
  assert.strictEqual((await client.users.me()).displayName, "Ada")
  assert.strictEqual((await client.organizations.get({ params: { organizationId } })).title, "Acme")
  const space = await client.spaces.create({ params: { organizationId }, payload: { title: "Handbook" } })
  const params = { spaceId: space.id }
  const renamed = await client.spaces.update({ params, payload: { title: "The handbook" } })
  assert.strictEqual(renamed.title, "The handbook")
  const { items, count } = await client.spaces.list({ params: { organizationId }, query: { limit: 1 } })
  assert.deepStrictEqual([items.length, count], [1, 1])

  const draft = await client.changeRequests.create({ params, payload: { subject: "A first page" } })
  const at = { ...params, changeRequestId: String(draft.number) }
  const written = await client.changeRequests.write({
    params: at,
    query: { compat: false },
    payload: {
      changes: [
        { operation: "insert_page", title: "Welcome", document: { markdown: "# Welcome\n\nHello.\n" } },
        { operation: "insert_files", files: [{ name: "note.txt", base64: btoa("a note") }] }
      ]
    }
  })
  assert.isTrue("insertedFiles" in written && written.insertedFiles?.length === 1)
  const changes = await client.changeRequests.changes({ params: at })
  assert.strictEqual(changes.changes.length, 2)
  assert.strictEqual((await client.changeRequestContent.pages({ params: at })).pages.length, 1)
  assert.strictEqual((await client.changeRequests.merge({ params: at })).result, "merge")
  const listed = await client.changeRequests.list({ params, query: { status: ["merged", "draft"] } })
  assert.deepStrictEqual(
    listed.items.map(({ status }) => status),
    ["merged"]
  )

  const { pages } = await client.spaceContent.pages({ params })
  const page = await client.spaceContent.page({ params: { ...params, pageId: pages[0]!.id } })
  assert.isTrue("markdown" in page && page.markdown?.includes("Hello."))
  const { items: files } = await client.spaceContent.files({ params })
  const link = new URL(files[0]!.downloadURL)
  const [, , , , , revisionId, , fileId] = link.pathname.split("/")
  const bytes = await connect({ baseUrl, fetch: answer }).downloads.file({
    params: { ...params, revisionId: revisionId!, fileId: fileId! },
    query: { expires: Number(link.searchParams.get("expires")), signature: link.searchParams.get("signature")! }
  })
  assert.strictEqual(new TextDecoder().decode(bytes), "a note")

  await client.spaces.remove({ params })
  assert.strictEqual((await client.spaces.list({ params: { organizationId } })).count, 0)
  assert.strictEqual((await client.spaces.restore({ params })).title, "The handbook")
})

it("sends what is needed, and nothing else", async () => {
  const sent: Array<readonly [method: string, url: string, headers: Record<string, string>, body: string]> = []
  const watched = connect({
    baseUrl: new URL("https://docs.example.com/lectern/"),
    token,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      sent.push([request.method, request.url, Object.fromEntries(request.headers), await request.text()])
      return new Response(null, { status: 204 })
    }
  })
  await watched.spaces.remove({ params: { spaceId: "1" } })
  await watched.spaces
    .update({ params: { spaceId: "1" }, payload: { title: "2" } })
    .catch(() => "no space in the answer")
  const authorization = `Bearer ${token}`
  assert.deepStrictEqual(sent, [
    ["DELETE", "https://docs.example.com/lectern/v1/spaces/1", { authorization }, ""],
    [
      "PATCH",
      "https://docs.example.com/lectern/v1/spaces/1",
      { authorization, "content-type": "application/json" },
      '{"title":"2"}'
    ]
  ])
})

describe("a refusal", () => {
  it("says what the server says", async () => {
    const { status, message, name } = await refusal(client.spaces.get({ params: { spaceId: "absent" } }))
    assert.deepStrictEqual(
      { status, message, name },
      { status: 404, message: "There is no space absent", name: "RequestRefused" }
    )
    const anonymous = connect({ baseUrl, fetch: answer })
    assert.strictEqual((await refusal(anonymous.users.me())).status, 401)
  })

  it("sends ids as one segment of the path, whatever they hold", async () => {
    const { status } = await refusal(client.spaces.get({ params: { spaceId: "../user?x=#" } }))
    assert.strictEqual(status, 404)
  })

  it("of what can't be right comes before it is sent", async () => {
    const sent: Array<string> = []
    const watched = connect({
      baseUrl,
      token,
      fetch: (input, init) => {
        sent.push(String(input))
        return answer(input, init)
      }
    })
    const error = await refusal(watched.organizations.create({ payload: { title: "x".repeat(10_000) } }))
    assert.strictEqual(error.status, 400)
    assert.deepStrictEqual(
      error.issues?.map(({ path }) => path),
      ["title"]
    )
    assert.deepStrictEqual(sent, [])
  })

  it("of something in between has its status", async () => {
    const behind = (status: number, body: string) =>
      connect({ baseUrl, token, fetch: () => Promise.resolve(new Response(body, { status })) })
    const gateway = await refusal(behind(502, "<h1>Bad gateway</h1>").users.me())
    assert.deepStrictEqual([gateway.status, gateway.message], [502, "The server responded with status 502"])
    const teapot = await refusal(
      behind(418, JSON.stringify({ error: { code: 418, message: "Short and stout" } })).users.me()
    )
    assert.deepStrictEqual([teapot.status, teapot.message], [418, "Short and stout"])
  })
})

describe("a failure", () => {
  const failing = async (answer: () => Promise<Response>) => {
    const error = await connect({ baseUrl, token, fetch: answer })
      .users.me()
      .then(
        () => assert.fail("the request did not fail"),
        (error: unknown) => error
      )
    assert.instanceOf(error, RequestFailed)
    return error.message
  }

  it("is what never got an answer", async () => {
    assert.strictEqual(await failing(() => Promise.reject(new TypeError("no route"))), "The server can't be reached")
  })

  it("is an answer that makes no sense", async () => {
    const expected = "The response of the server can't be read"
    assert.strictEqual(await failing(() => Promise.resolve(new Response("<html>"))), expected)
    assert.strictEqual(await failing(() => Promise.resolve(Response.json({ object: "cake" }))), expected)
  })
})

it.effect("answers effects, whose failures are values", () =>
  Effect.gen(function* () {
    const client = yield* make({ baseUrl, token: Redacted.make(token) })
    const spaces = yield* client.spaces.list({ params: { organizationId } })
    assert.isAtLeast(spaces.count, 1)
    const caught = yield* client.spaces
      .get({ params: { spaceId: "absent" } })
      .pipe(Effect.catchTag("RequestRefused", ({ status }) => Effect.succeed(status)))
    assert.strictEqual(caught, 404)
  }).pipe(
    Effect.provide(FetchHttpClient.layer),
    Effect.provideServiceEffect(
      FetchHttpClient.Fetch,
      Effect.sync(() => answer)
    )
  )
)
