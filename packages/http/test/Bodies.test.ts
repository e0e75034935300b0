/** Request bodies are JSON, valid UTF-8, of a bounded size and depth. */
import { gzipSync } from "node:zlib"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createSpace, getSpace, openChangeRequest } from "./Steps.ts"

const mebibyte = 1024 * 1024

/** A body of exactly this many bytes: a title and a field that nobody knows. */
const bodyOf = (bytes: number) => {
  const frame = `{"title":"Large","padding":""}`
  return frame.replace(`""`, `"${"x".repeat(bytes - frame.length)}"`)
}

const chunked = (text: string): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, (at += 65_536)))
    }
  })
}

onEachAdapter("Bodies", (it) => {
  it.effect("takes no body as an empty one where every field is optional, whatever its type", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const path = `/v1/orgs/${organization}/spaces`
      for (const headers of [{}, { "content-type": "application/json" }, { "content-type": "text/plain" }]) {
        yield* call("admin", "POST", path, undefined, headers).pipe(answers(201, Shapes.Space))
        yield* call("admin", "POST", path, "", headers).pipe(answers(201, Shapes.Space))
      }
      const { issues } = yield* call("admin", "POST", "/v1/orgs").pipe(refused(400))
      assert.strictEqual(issues?.[0]?.path, "body.title")
    })
  )

  it.effect("takes JSON alone, by its type", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const path = `/v1/orgs/${organization}/spaces`
      const body = `{"title":"Typed"}`
      for (const type of [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON ;charset=UTF-8",
        "application/merge-patch+json"
      ]) {
        const space = yield* call("admin", "POST", path, body, { "content-type": type }).pipe(
          answers(201, Shapes.Space)
        )
        assert.strictEqual(space.title, "Typed")
      }
      for (const type of [
        "text/plain",
        "text/json",
        "application/jsonx",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "json",
        ""
      ]) {
        yield* call("admin", "POST", path, body, { "content-type": type }).pipe(refused(415))
      }
    })
  )

  it.effect("takes no compressed body, and says so", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const path = `/v1/orgs/${organization}/spaces`
      const body = `{"title":"Packed"}`
      for (const coding of ["gzip", "br", "deflate, gzip", "GZIP"]) {
        for (const bytes of [new Uint8Array(gzipSync(body)), body]) {
          const answer = yield* call("admin", "POST", path, bytes, { "content-encoding": coding }).pipe(has(415))
          assert.strictEqual(answer.headers.get("accept-encoding"), "identity")
          assert.include(answer.text, "Content-Encoding")
        }
      }
      for (const coding of ["identity", "Identity"]) {
        yield* call("admin", "POST", path, body, { "content-encoding": coding }).pipe(answers(201, Shapes.Space))
      }
    })
  )

  const broken = ["{", "{'title':1}", `{"title":"x",}`, "undefined", "{}{}", "\u0000", "NaN", `"unclosed`, "// {}"]
  it.effect.each(broken)("refuses what is no JSON: %j", (body) =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { issues } = yield* call("admin", "POST", `/v1/orgs/${organization}/spaces`, body).pipe(refused(400))
      assert.strictEqual(issues?.[0]?.path, "body")
    })
  )

  it.effect.each(["[]", "null", "1", `"text"`, "true", `[{"title":"x"}]`])("refuses what is no object: %s", (body) =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      yield* call("admin", "POST", `/v1/orgs/${organization}/spaces`, body).pipe(refused(400))
      yield* call("admin", "POST", "/v1/orgs", body).pipe(refused(400))
    })
  )

  it.effect("refuses invalid UTF-8, and takes a byte order mark", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const path = `/v1/orgs/${organization}/spaces`
      const encode = (text: string) => new TextEncoder().encode(text)
      for (const bad of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xe2, 0x82]]) {
        const body = Uint8Array.of(...encode(`{"title":"`), ...bad, ...encode(`"}`))
        yield* call("admin", "POST", path, body).pipe(refused(400))
      }
      const marked = Uint8Array.of(0xef, 0xbb, 0xbf, ...encode(`{"title":"Märked"}`))
      const space = yield* call("admin", "POST", path, marked).pipe(answers(201, Shapes.Space))
      assert.strictEqual(space.title, "Märked")
    })
  )

  it.effect("refuses what nests too deep", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const path = `/v1/orgs/${organization}/spaces`
      const nested = (depth: number) => `{"x":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`
      yield* call("admin", "POST", path, nested(200)).pipe(has(201))
      yield* call("admin", "POST", path, nested(201)).pipe(refused(400))
      yield* call("admin", "POST", path, nested(100_000)).pipe(refused(400))
      yield* call("admin", "POST", path, `${`{"a":`.repeat(50_000)}1${"}".repeat(50_000)}`).pipe(refused(400))
      yield* call("admin", "POST", path, "[".repeat(100_000)).pipe(refused(400))
      const space = yield* call("admin", "POST", path, JSON.stringify({ title: `"[\\${"[{".repeat(20)}` })).pipe(
        has(201)
      )
      assert.strictEqual(space.status, 201)
    })
  )

  it.effect("refuses a body over 1 MiB, declared or not", () =>
    Effect.gen(function* () {
      const { call, send, organization } = yield* Harness
      const path = `/v1/orgs/${organization}/spaces`
      const space = yield* call("admin", "POST", path, bodyOf(mebibyte)).pipe(answers(201, Shapes.Space))
      assert.strictEqual(space.title, "Large")
      const over = bodyOf(mebibyte + 1)
      yield* call("admin", "POST", path, over).pipe(refused(413))
      yield* call("admin", "POST", path, over, { "content-length": String(over.length) }).pipe(refused(413))
      // Who may ask for nothing is told so before anything that large is read.
      yield* call("nobody", "POST", path, over, { "content-length": String(over.length) }).pipe(refused(401))
      yield* call("admin", "PATCH", `/v1/spaces/${space.id}`, over, { "content-length": "9".repeat(30) }).pipe(
        refused(413)
      )
      const headers = { "content-type": "application/json" }
      yield* send(path, { method: "POST", headers, body: chunked(bodyOf(21 * mebibyte)), duplex: "half" }).pipe(
        refused(413)
      )
      assert.strictEqual((yield* getSpace(space.id)).updatedAt, space.updatedAt)
    })
  )

  it.effect("takes up to 20 MiB where files travel", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const space = yield* createSpace()
      const { id } = yield* openChangeRequest(space.id)
      const path = `/v1/spaces/${space.id}/change-requests/${id}/content`
      const files = Array.from({ length: 12 }, (_, i) => ({ name: `${i}.bin`, base64: "A".repeat(mebibyte) }))
      const body = JSON.stringify({ changes: [{ operation: "insert_files", files }] })
      assert.isAbove(body.length, 12 * mebibyte)
      yield* call("admin", "POST", path, body).pipe(answers(200, Shapes.ChangeRequest))
      const list = yield* call("admin", "GET", `${path}/files`).pipe(answers(200, Shapes.listOf(Shapes.File)))
      assert.strictEqual(list.count, 12)
      const over = bodyOf(21 * mebibyte)
      yield* call("admin", "POST", path, over).pipe(refused(413))
      yield* call("admin", "POST", path, over, { "content-length": String(over.length) }).pipe(refused(413))
    })
  )
})
