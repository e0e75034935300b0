/** Specs on both adapters: how they are fetched and processed, and what becomes of their versions. */
import { assert, describe, it } from "@effect/vitest"
import { FetchFailed } from "@lectern/core/fetch/GuardedFetch"
import { Jobs } from "@lectern/core/job/Jobs"
import { OpenApiSpecs } from "@lectern/core/openapi/OpenApiSpecs"
import { latest } from "@lectern/core/openapi/OpenApiVersions"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { organization } from "../Instances.ts"
import { info, small, swagger, yaml } from "./SpecTexts.ts"
import { adapters, Outside, type Services, servicesOver, url, work } from "./SpecSteps.ts"

for (const [name, storage] of onEach(adapters)) {
  describe(`OpenApiSpecs (${name})`, () => {
    const test = <E>(title: string, body: Effect.Effect<void, E, Services>) =>
      it.effect(title, () => Effect.provide(body, Layer.fresh(servicesOver(storage))))

    test(
      "are fetched, and keep what they found",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const acme = yield* organization
        ;(yield* Outside).set(url, yaml)
        const made = yield* specs.create(acme, { slug: "pets", source: { url } })
        assert.deepInclude(made, {
          object: "openapi-spec",
          slug: "pets",
          sourceURL: url,
          processingState: "pending",
          visibility: "private",
          lastProcessedErrorCount: 0,
          permissions: { view: true, edit: true }
        })
        assert.notProperty(made.urls, "published")
        assert.match((yield* Effect.flip(specs.version(acme, "pets", latest))).message, /no version yet/)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* work, 1)
        const done = yield* specs.get(acme, "pets")
        assert.strictEqual(done.processingState, "complete")
        assert.isDefined(done.lastVersion)
        assert.isAbove(Date.parse(done.lastProcessedAt!), Date.parse(made.createdAt))
        assert.notProperty(done, "lastProcessErrorCode")
        const version = yield* specs.version(acme, "pets", latest)
        assert.strictEqual(version.id, done.lastVersion)
        assert.deepStrictEqual(yield* specs.raw(acme, "pets", version.id), { text: yaml, format: "yaml" })
        const content = yield* specs.content(acme, "pets", version.id)
        assert.deepStrictEqual(content, {
          filesystem: [
            {
              dir: "./",
              filename: "openapi.yaml",
              isEntrypoint: true,
              references: [],
              specification: { openapi: "3.0.3", info, paths: {} }
            }
          ],
          url,
          urls: { source: url, public: null }
        })
        const bytes = yield* specs.contentJson(acme, "pets", version.id)
        assert.deepStrictEqual(JSON.parse(new TextDecoder().decode(bytes)), content)
      })
    )

    test(
      "return numbers as the spec writes them",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const acme = yield* organization
        const numbers = ["9223372036854775807", "1.0", "0.10", "-9007199254740993", "3"]
        const text = `{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{},"x-numbers":[${numbers.join(",")}]}`
        const read = Effect.gen(function* () {
          const { filesystem } = yield* specs.content(acme, "pets", latest)
          return JSON.stringify(filesystem[0]!.specification)
        })
        yield* specs.put(acme, "pets", { source: { text } })
        yield* work
        assert.strictEqual(yield* read, text)
        // Large JSON is split into pieces.
        const large = `${text.slice(0, -1)},"x-large":{"a":"${"a".repeat(80_000)}","b":[${numbers.join(",")}]}}`
        yield* specs.put(acme, "pets", { source: { text: large } })
        yield* work
        assert.strictEqual(yield* read, large)
      })
    )

    test(
      "get a version for each content, and none for the same",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const outside = yield* Outside
        const acme = yield* organization
        const refresh = Effect.andThen(specs.put(acme, "pets", { source: { url } }), work)
        outside.set(url, small("One"))
        yield* refresh
        const first = yield* specs.get(acme, "pets")
        yield* TestClock.adjust("1 hour")
        assert.strictEqual((yield* specs.put(acme, "pets", { source: { url } })).processingState, "pending")
        yield* work
        const again = yield* specs.get(acme, "pets")
        assert.strictEqual(again.lastVersion, first.lastVersion)
        assert.isAbove(Date.parse(again.lastProcessedAt!), Date.parse(first.lastProcessedAt!))
        outside.set(url, small("Two"))
        yield* refresh
        yield* specs.put(acme, "pets", { source: { text: JSON.stringify(swagger) } })
        yield* work
        const listed = yield* specs.versions(acme, "pets", {})
        assert.strictEqual(listed.count, 3)
        assert.deepStrictEqual(
          listed.items.map(({ id }) => id),
          listed.items
            .map(({ id }) => id)
            .sort()
            .reverse()
        )
        const texts = yield* Effect.forEach(listed.items, ({ id }) => specs.raw(acme, "pets", id))
        assert.deepStrictEqual(
          texts.map(({ text }) => text),
          [JSON.stringify(swagger), small("Two"), small("One")]
        )
        const { filesystem, urls } = yield* specs.content(acme, "pets", latest)
        assert.match((filesystem[0]!.specification as { openapi: string }).openapi, /^3\.0/)
        assert.match(urls.source, /\/content\/raw$/)
        const page = yield* specs.versions(acme, "pets", { limit: 2 })
        assert.strictEqual((yield* specs.versions(acme, "pets", { limit: 2, ...page.next })).items.length, 1)
        assert.notProperty(yield* specs.get(acme, "pets"), "sourceURL")
      })
    )

    test(
      "say what went wrong and keep the last version",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const outside = yield* Outside
        const acme = yield* organization
        outside.set(url, small())
        yield* specs.create(acme, { slug: "pets", source: { url } })
        yield* work
        const { lastVersion } = yield* specs.get(acme, "pets")
        const failure = (reason: FetchFailed["reason"]) => new FetchFailed({ reason, message: `It is ${reason}` })
        const cases = [
          [failure("timeout"), "FETCH_TIMEOUT", /timeout/],
          [failure("refused"), "FETCH_ERROR", /refused/],
          [failure("too-large"), "FETCH_ERROR", /too-large/],
          [failure("status"), "FETCH_ERROR", /status/],
          [failure("failed"), "FETCH_ERROR", /failed/],
          ["<html>", "PARSE_ERROR", /HTML/],
          [JSON.stringify({ openapi: "4.1.0", info: { title: "Another version" } }), "PARSE_ERROR", /version/]
        ] as const
        for (const [answer, code, message] of cases) {
          outside.set(url, answer)
          yield* specs.put(acme, "pets", { source: { url } })
          yield* work
          const failed = yield* specs.get(acme, "pets")
          assert.deepInclude(failed, {
            processingState: "complete",
            lastProcessErrorCode: code,
            lastProcessedErrorCount: 1
          })
          assert.strictEqual(failed.lastVersion, lastVersion)
          assert.match(failed.lastProcessedErrors?.[0]?.message ?? "", message)
          assert.strictEqual(failed.lastProcessedErrors?.[0]?.code, code)
        }
        outside.set(url, small("Better"))
        yield* specs.put(acme, "pets", { source: { url } })
        yield* work
        const better = yield* specs.get(acme, "pets")
        assert.notProperty(better, "lastProcessErrorCode")
        assert.notProperty(better, "lastProcessedErrors")
        assert.strictEqual(better.lastProcessedErrorCount, 0)
        assert.notStrictEqual(better.lastVersion, lastVersion)
        assert.isEmpty(yield* (yield* Jobs).list({ status: "failed" }))
      })
    )

    test(
      "that say something else than OpenAPI are kept, with warnings of the last version",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const outside = yield* Outside
        const acme = yield* organization
        const paths = { "/a": { get: { responses: { 200: {} } } } }
        outside.set(url, JSON.stringify({ openapi: "3.0.3", info, paths }, null, 1))
        yield* specs.create(acme, { slug: "pets", source: { url } })
        yield* work
        const first = yield* specs.get(acme, "pets")
        const warnings = [
          {
            message: "The response has no `description`",
            path: "/paths/~1a/get/responses/200",
            line: 11,
            column: 6
          }
        ]
        assert.deepInclude(first, { warnings, warningCount: 1, lastProcessedErrorCount: 0 })
        assert.isDefined(first.lastVersion)
        // Fetching unchanged text or an invalid spec does not change the report of the last version.
        for (const text of [undefined, "<html>"]) {
          if (text !== undefined) outside.set(url, text)
          yield* specs.put(acme, "pets", { source: { url } })
          yield* work
          const { lastVersion } = first
          assert.deepInclude(yield* specs.get(acme, "pets"), { warnings, warningCount: 1, lastVersion })
        }
        outside.set(url, small("Better"))
        yield* specs.put(acme, "pets", { source: { url } })
        yield* work
        assert.deepInclude(yield* specs.get(acme, "pets"), { warnings: [], warningCount: 0 })
      })
    )

    test(
      "that change their source while they are processed hold what came last",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const acme = yield* organization
        const begun = yield* Deferred.make<void>()
        const answer = yield* Deferred.make<string>()
        ;(yield* Outside).set(url, Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(answer)))
        yield* specs.create(acme, { slug: "pets", source: { url } })
        const working = yield* Effect.forkChild(work)
        yield* Deferred.await(begun)
        assert.strictEqual((yield* specs.get(acme, "pets")).processingState, "progress")
        yield* specs.put(acme, "pets", { source: { text: small("Later") } })
        assert.strictEqual((yield* specs.get(acme, "pets")).processingState, "pending")
        yield* Deferred.succeed(answer, small("Earlier"))
        assert.strictEqual(yield* Fiber.join(working), 2)
        assert.strictEqual((yield* specs.versions(acme, "pets", {})).count, 1)
        assert.strictEqual((yield* specs.raw(acme, "pets", latest)).text, small("Later"))
      })
    )

    test(
      "that were deleted while they are processed stay so",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const acme = yield* organization
        const begun = yield* Deferred.make<void>()
        const answer = yield* Deferred.make<string>()
        ;(yield* Outside).set(url, Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(answer)))
        yield* specs.create(acme, { slug: "pets", source: { url } })
        const working = yield* Effect.forkChild(work)
        yield* Deferred.await(begun)
        yield* specs.remove(acme, "pets")
        yield* Deferred.succeed(answer, small())
        yield* Fiber.join(working)
        assert.strictEqual((yield* specs.list(acme, {})).count, 0)
        assert.isEmpty(yield* (yield* Jobs).list({ status: "failed" }))
      })
    )

    test(
      "are processed by the next worker where one stopped in the middle",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const outside = yield* Outside
        const acme = yield* organization
        const begun = yield* Deferred.make<void>()
        outside.set(url, Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
        yield* specs.create(acme, { slug: "pets", source: { url } })
        const working = yield* Effect.forkChild(work)
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(working)
        assert.strictEqual((yield* specs.get(acme, "pets")).processingState, "progress")
        outside.set(url, small())
        assert.strictEqual(yield* work, 1)
        assert.deepInclude(yield* specs.get(acme, "pets"), { processingState: "complete" })
      })
    )
  })
}
