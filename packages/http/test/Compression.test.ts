/** Answers are compressed for those who take it, once where they are kept, and keep their tags apart. */
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { compress } from "../../../apps/server/src/Compression.ts"
import { choose, type Compress, Compressors, type Encoding } from "@lectern/http/server/Compression"
import * as HttpApp from "@lectern/http/server/HttpApp"
import * as WebHandler from "@lectern/http/server/WebHandler"
import { assert, it as test } from "@effect/vitest"
import { Effect } from "effect"
import { visit } from "./AudienceSites.ts"
import { Harness, has, onMemory } from "./Harness.ts"
import { createSpace, insertPage, openChangeRequest, publish } from "./Steps.ts"

test.each<readonly [string, Encoding | undefined]>([
  ["br", "br"],
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=1, br;q=0.5", "gzip"],
  ["GZIP ; Q=0.9 , br;q=0.8", "gzip"],
  ["br;q=0, gzip;q=0.1", "gzip"],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["*;q=0", undefined],
  ["", undefined],
  ["identity", undefined],
  ["identity, gzip;q=0.5", undefined],
  ["identity;q=0.5, gzip", "gzip"],
  ["identity;q=0", undefined],
  ["deflate", undefined],
  ["gzip;q=nothing", undefined],
  ["gzip;q=7", undefined]
])("who accepts %j gets %s", (header, encoding) => {
  assert.strictEqual(choose(header, ["br", "gzip"]), encoding)
})

/** The application with what compresses, counted. */
const serving = Effect.gen(function* () {
  const made: Array<string> = []
  const counting = {
    br: (bytes, options) => (made.push("br"), compress.br!(bytes, options)),
    gzip: (bytes, options) => (made.push("gzip"), compress.gzip!(bytes, options))
  } satisfies Compress
  const app = yield* Effect.provideService(HttpApp.make, Compressors, counting)
  const fetch = yield* WebHandler.make(app)
  const ask = (token: string, path: string, headers: Record<string, string>, method = "GET") =>
    Effect.promise(async () => {
      const init = { method, headers: { ...headers, authorization: `Bearer ${token}` } }
      const response = await fetch(new Request(`http://127.0.0.1:4000${path}`, init))
      return {
        status: response.status,
        header: (name: string) => response.headers.get(name),
        bytes: new Uint8Array(await response.arrayBuffer())
      }
    })
  return { ask, made }
})

const unpacked = { br: brotliDecompressSync, gzip: gunzipSync }

onMemory("Compression", (it) => {
  it.effect("sends large answers compressed, each encoding with a tag of its own, made once", () =>
    Effect.gen(function* () {
      const { apiToken, space, page } = yield* visit("public")
      yield* publish(space, [{ operation: "update_page", page, document: { markdown: "Much text. ".repeat(400) } }])
      const { ask, made } = yield* serving
      const path = `/v1/spaces/${space}/content/page/${page}`
      const plain = yield* ask(apiToken, path, {})
      assert.isNull(plain.header("content-encoding"))
      assert.strictEqual(plain.header("vary"), "Origin, Accept-Encoding")
      const tag = plain.header("etag")!
      for (const encoding of ["br", "gzip"] as const) {
        for (const _ of ["first", "again"]) {
          const answer = yield* ask(apiToken, path, { "accept-encoding": encoding })
          assert.strictEqual(answer.header("content-encoding"), encoding)
          assert.strictEqual(answer.header("content-length"), String(answer.bytes.length))
          assert.strictEqual(answer.header("content-type"), "application/json")
          assert.isBelow(answer.bytes.length, plain.bytes.length / 5)
          assert.deepStrictEqual(new Uint8Array(unpacked[encoding](answer.bytes)), plain.bytes)
          assert.strictEqual(answer.header("etag"), tag.replace(/"$/, `-${encoding}"`))
        }
        const head = yield* ask(apiToken, path, { "accept-encoding": encoding }, "HEAD")
        assert.strictEqual(head.header("content-encoding"), encoding)
        assert.strictEqual(head.bytes.length, 0)
      }
      assert.deepStrictEqual(made, ["br", "gzip"])
      // Whoever has it in any encoding has it.
      for (const known of [tag, tag.replace(/"$/, '-br"'), `W/${tag.replace(/"$/, '-gzip"')}`, `"x", ${tag}`]) {
        const answer = yield* ask(apiToken, path, { "if-none-match": known, "accept-encoding": "br" })
        assert.strictEqual(answer.status, 304, known)
        assert.include(known, answer.header("etag")!)
      }
      for (const other of [tag.replace(/"$/, '-zip"'), tag.replace(/"$/, '-br-br"'), '"x-br"']) {
        assert.strictEqual((yield* ask(apiToken, path, { "if-none-match": other })).status, 200, other)
      }
    })
  )

  it.effect("leaves alone what is small, what is no text, and who asks for it as it is", () =>
    Effect.gen(function* () {
      const { apiToken, space } = yield* visit("public")
      const { ask, made } = yield* serving
      const small = yield* ask(apiToken, `/v1/spaces/${space}`, { "accept-encoding": "br" })
      assert.isNull(small.header("content-encoding"))
      const identity = yield* ask(apiToken, "/openapi.json", { "accept-encoding": "identity, br;q=0.5" })
      assert.isNull(identity.header("content-encoding"))
      assert.deepStrictEqual(made, [])
      for (const path of ["/openapi.json", "/openapi.json"]) {
        const answer = yield* ask(apiToken, path, { "accept-encoding": "br" })
        assert.strictEqual(answer.header("content-encoding"), "br", path)
        assert.isBelow(answer.bytes.length, 100 * 1024, path)
      }
      assert.deepStrictEqual(made, ["br"])
    })
  )

  it.effect("leaves files alone, whose parts are asked for by their bytes", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const { insertedFiles } = yield* publish(id, [
        { operation: "insert_files", files: [{ name: "x.txt", base64: btoa("text ".repeat(1000)) }] }
      ])
      const file = yield* call("admin", "GET", `/v1/spaces/${id}/content/files/${insertedFiles![0]!.id}`).pipe(has(200))
      const { ask } = yield* serving
      const path =
        new URL(JSON.parse(file.text).downloadURL).pathname + new URL(JSON.parse(file.text).downloadURL).search
      const whole = yield* ask("", path, { "accept-encoding": "br, gzip" })
      assert.isNull(whole.header("content-encoding"))
      assert.strictEqual(whole.bytes.length, 5000)
      const part = yield* ask("", path, { "accept-encoding": "br", range: "bytes=0-3" })
      assert.strictEqual(part.status, 206)
      assert.strictEqual(new TextDecoder().decode(part.bytes), "text")
    })
  )

  it.effect("takes the tag of any encoding in If-Match", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const { number } = yield* openChangeRequest(id)
      const path = `/v1/spaces/${id}/change-requests/${number}/content`
      for (const form of ["", "-br", "-gzip"]) {
        const etag = (yield* call("admin", "GET", `${path}/pages`).pipe(has(200))).headers.get("etag")!
        const body = { changes: [insertPage(`Page${form}`)] }
        yield* call("admin", "POST", path, body, { "if-match": etag.replace(/"$/, `${form}"`) }).pipe(has(200))
        yield* call("admin", "POST", path, body, { "if-match": etag.replace(/"$/, `${form}"`) }).pipe(has(412))
      }
    })
  )
})
