/** OpenAPI specs and their versions: each operation with its status and the shape of its answer. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, refused, type Services } from "../Harness.ts"
import {
  createSpec,
  ofSpecs,
  OpenApiContent,
  OpenApiRawContent,
  OpenApiSpec,
  OpenApiVersion,
  processed,
  specText
} from "../OpenApiSteps.ts"
import { listOf } from "../Shapes.ts"

export const openApiOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("makes a spec, processes it, and shows what it holds", () =>
    Effect.gen(function* () {
      const { organization } = yield* Harness
      const text = `# Pets\nopenapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths: {}\n`
      const made = yield* createSpec("shown", text)
      assert.deepInclude(made, { slug: "shown", processingState: "pending", visibility: "private" })
      assert.notProperty(made, "sourceURL")
      assert.isTrue(made.urls.location.endsWith(`/v1/orgs/${organization}/openapi/shown`))
      for (const path of ["", "/content", "/content/raw"]) {
        yield* ofSpecs("GET", `/shown/versions/latest${path}`).pipe(refused(404))
      }
      assert.deepStrictEqual(yield* ofSpecs("GET", "/shown").pipe(answers(200, OpenApiSpec)), made)
      yield* TestClock.adjust("1 second")
      yield* processed(made.id)
      const done = yield* ofSpecs("GET", "/shown").pipe(answers(200, OpenApiSpec))
      assert.strictEqual(done.processingState, "complete")
      const { items, count } = yield* ofSpecs("GET", "/shown/versions").pipe(answers(200, listOf(OpenApiVersion)))
      assert.strictEqual(count, 1)
      assert.strictEqual(items[0]!.id, done.lastVersion)
      for (const name of ["latest", done.lastVersion!]) {
        const version = `/shown/versions/${name}`
        assert.deepStrictEqual(yield* ofSpecs("GET", version).pipe(answers(200, OpenApiVersion)), items[0])
        const content = yield* ofSpecs("GET", `${version}/content`)
        assert.strictEqual(content.headers.get("content-type"), "application/json")
        const { filesystem, urls } = yield* Effect.succeed(content).pipe(answers(200, OpenApiContent))
        assert.deepStrictEqual(filesystem, [
          { filename: "openapi.yaml", isEntrypoint: true, specification: JSON.parse(specText("Pets")) }
        ])
        assert.isNull(urls.public)
        assert.deepStrictEqual(yield* ofSpecs("GET", `${version}/content/raw`).pipe(answers(200, OpenApiRawContent)), {
          text,
          format: "yaml"
        })
      }
      for (const path of ["/shown/versions/none", "/none", "/none/versions", "/none/versions/latest/content"]) {
        yield* ofSpecs("GET", path).pipe(refused(404))
      }
    })
  )

  it.effect("lists specs in the order of their slugs, page by page", () =>
    Effect.gen(function* () {
      for (const slug of ["list-c", "list-a", "list-b"]) yield* createSpec(slug, specText(slug))
      const slugs: Array<string> = []
      let count = 0
      for (let query = "?limit=2"; ;) {
        const list = yield* ofSpecs("GET", query).pipe(answers(200, listOf(OpenApiSpec)))
        slugs.push(...list.items.map(({ slug }) => slug))
        count = list.count
        if (list.next === undefined) break
        query = `?limit=2&page=${list.next.page}`
      }
      assert.deepStrictEqual(slugs, [...slugs].sort())
      assert.strictEqual(slugs.length, count)
      assert.includeMembers(slugs, ["list-a", "list-b", "list-c"])
      for (const wrong of ["?limit=1001", "?limit=0", "?page=x"]) yield* ofSpecs("GET", wrong).pipe(refused(400))
    })
  )

  it.effect("puts a spec: made where there is none, refreshed where there is one", () =>
    Effect.gen(function* () {
      const source = { text: specText("One") }
      const made = yield* ofSpecs("PUT", "/put", { source }).pipe(answers(200, OpenApiSpec))
      yield* processed(made.id)
      const { lastVersion } = yield* ofSpecs("GET", "/put").pipe(answers(200, OpenApiSpec))
      const again = yield* ofSpecs("PUT", "/put", { source }).pipe(answers(200, OpenApiSpec))
      assert.deepInclude(again, { id: made.id, processingState: "pending" })
      assert.strictEqual(again.lastVersion, lastVersion)
      yield* processed(made.id)
      assert.strictEqual((yield* ofSpecs("GET", "/put").pipe(answers(200, OpenApiSpec))).lastVersion, lastVersion)
      // Nothing is fetched here: what comes of it is said, and the version stays.
      const url = "https://api.example.com/openapi.json?a=b"
      const fetched = yield* ofSpecs("PUT", "/put", { source: { url } }).pipe(answers(200, OpenApiSpec))
      assert.strictEqual(fetched.sourceURL, url)
      yield* processed(made.id)
      const failed = yield* ofSpecs("GET", "/put").pipe(answers(200, OpenApiSpec))
      assert.strictEqual(failed.lastVersion, lastVersion)
      assert.deepInclude(failed, { lastProcessErrorCode: "FETCH_ERROR", lastProcessedErrorCount: 1 })
    })
  )

  it.effect("says what is wrong with a spec", () =>
    Effect.gen(function* () {
      const { id } = yield* createSpec("wrong", "<!doctype html>")
      yield* processed(id)
      const wrong = yield* ofSpecs("GET", "/wrong").pipe(answers(200, OpenApiSpec))
      assert.deepInclude(wrong, { processingState: "complete", lastProcessErrorCode: "PARSE_ERROR" })
      assert.match(wrong.lastProcessedErrors![0]!.message, /HTML/)
      assert.notProperty(wrong, "lastVersion")
    })
  )

  it.effect("refuses what can't be a spec's slug or source", () =>
    Effect.gen(function* () {
      const source = { text: specText("Fine") }
      yield* createSpec("taken", source.text)
      yield* ofSpecs("POST", "", { slug: "taken", source }).pipe(refused(409))
      for (const slug of [null, "", "A", "a--b", "-a", "a b", "a".repeat(101), 1]) {
        yield* ofSpecs("POST", "", { slug, source }).pipe(refused(400))
      }
      for (const slug of ["A", "a--b", "a.b", "%C3%A4", "a".repeat(101)]) {
        yield* ofSpecs("PUT", `/${slug}`, { source }).pipe(refused(400))
      }
      const urls = ["", "no URL", "ftp://example.com/a", "file:///etc/passwd", "http://127.0.0.1/", "http://[::1]:80/"]
      urls.push("http://169.254.169.254/latest/meta-data", "http://localhost", "http://10.1.1.1", "http://0x7f.1/")
      urls.push("https://me:secret@example.com/", `https://example.com/${"a".repeat(2048)}`)
      for (const url of urls) {
        const issues = yield* ofSpecs("POST", "", { slug: "bad", source: { url } }).pipe(refused(400))
        assert.match(issues.issues?.[0]?.path ?? "", /^body\.source/, url)
        yield* ofSpecs("PUT", "/bad", { source: { url } }).pipe(refused(400))
      }
      for (const wrong of [undefined, null, {}, [], "text", { text: "" }, { text: null }, { url: 1 }]) {
        yield* ofSpecs("POST", "", { slug: "bad", source: wrong }).pipe(refused(400))
        yield* ofSpecs("PUT", "/bad", { source: wrong }).pipe(refused(400))
      }
      yield* ofSpecs("GET", "/bad").pipe(refused(404))
      for (const visibility of [undefined, null, "unlisted", ""]) {
        yield* ofSpecs("PATCH", "/taken", { visibility }).pipe(refused(400))
      }
      yield* ofSpecs("PATCH", "/none", { visibility: "public" }).pipe(refused(404))
    })
  )

  it.effect("takes specs up to 20 MiB", () =>
    Effect.gen(function* () {
      const room = "a".repeat(2 * 1024 * 1024)
      yield* ofSpecs("PUT", "/large", { source: { text: room } }).pipe(answers(200, OpenApiSpec))
      yield* ofSpecs("PUT", "/large", { source: { text: "a".repeat(20 * 1024 * 1024) } }).pipe(refused(413))
      yield* ofSpecs("PATCH", "/large", { visibility: "public", room: "a".repeat(21 * 1024 * 1024) }).pipe(refused(413))
    })
  )

  it.effect("publishes a spec to everyone, and takes it back", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id, urls } = yield* createSpec("open", specText("Open"))
      const published = new URL(urls.location.replace("/orgs/", "/openapi/").replace("/openapi/open", "/open")).pathname
      const read = (headers?: Record<string, string>) => call("nobody", "GET", published, undefined, headers)
      yield* read().pipe(refused(404))
      const open = yield* ofSpecs("PATCH", "/open", { visibility: "public" }).pipe(answers(200, OpenApiSpec))
      assert.strictEqual(new URL(open.urls.published!).pathname, published)
      // It has no version yet.
      yield* read().pipe(refused(404))
      yield* processed(id)
      const answer = yield* read().pipe(has(200))
      assert.strictEqual(answer.text, specText("Open"))
      assert.strictEqual(answer.headers.get("content-type"), "application/json")
      assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
      assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff")
      const etag = answer.headers.get("etag")!
      yield* read({ "if-none-match": etag }).pipe(has(304))
      yield* read({ "if-none-match": '"other"' }).pipe(has(200))
      yield* call("nobody", "HEAD", published).pipe(has(200))
      const { urls: content } = yield* ofSpecs("GET", "/open/versions/latest/content").pipe(
        answers(200, OpenApiContent)
      )
      assert.strictEqual(content.public, open.urls.published)
      // Whoever has a token sees it, and may not do more.
      const { permissions } = yield* ofSpecs("GET", "/open", undefined, "outsider").pipe(answers(200, OpenApiSpec))
      assert.deepStrictEqual(permissions, { view: true, edit: false })
      yield* ofSpecs("PATCH", "/open", { visibility: "private" }, "outsider").pipe(refused(403))
      yield* ofSpecs("GET", "", undefined, "outsider").pipe(refused(404))
      yield* ofSpecs("PATCH", "/open", { visibility: "private" }).pipe(has(200))
      yield* read({ "if-none-match": etag }).pipe(refused(404))
      yield* ofSpecs("GET", "/open", undefined, "outsider").pipe(refused(404))
    })
  )

  it.effect("deletes a spec with its versions", () =>
    Effect.gen(function* () {
      const { id } = yield* createSpec("gone", specText("Gone"))
      yield* processed(id)
      for (let i = 0; i < 2; i++) yield* ofSpecs("DELETE", "/gone").pipe(has(204))
      for (const path of ["/gone", "/gone/versions", "/gone/versions/latest/content"]) {
        yield* ofSpecs("GET", path).pipe(refused(404))
      }
      yield* ofSpecs("DELETE", "/gone", undefined, "read").pipe(has(204))
      yield* ofSpecs("DELETE", "/gone", undefined, "outsider").pipe(refused(404))
      // Under the same slug another one may come.
      const { id: next } = yield* createSpec("gone", specText("Next"))
      assert.notStrictEqual(next, id)
      yield* ofSpecs("GET", "/gone/versions/latest").pipe(refused(404))
    })
  )
}
