/** Specs on both adapters, from their making to their versions, with a world outside that the test makes up. */
import { assert, describe, it } from "@effect/vitest"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import type { Role } from "@lectern/core/access/Role"
import { collect } from "@lectern/core/content/store/GarbageCollection"
import { Events } from "@lectern/core/event/Events"
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { checking, FetchFailed, GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import { Jobs } from "@lectern/core/job/Jobs"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Lectern from "@lectern/core/Lectern"
import { maxSpecs, maxVersions, OpenApiSpecId, OpenApiSpecTable } from "@lectern/core/openapi/OpenApiSpec"
import { OpenApiSpecs } from "@lectern/core/openapi/OpenApiSpecs"
import { latest, OpenApiVersions } from "@lectern/core/openapi/OpenApiVersions"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { BlobStore } from "@lectern/core/storage/BlobStore"
import { Storage } from "@lectern/core/storage/Storage"
import { Users } from "@lectern/core/user/Users"
import { Cause, Context, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { temporaryFile } from "../../../adapter-sqlite/test/TemporaryFile.ts"
import { organization } from "../Instances.ts"
import { info, small, swagger, yaml } from "./SpecTexts.ts"

/** The world outside: by its URL a text, a failure, or something that takes its time. */
class Outside extends Context.Service<Outside, Map<string, string | FetchFailed | Effect.Effect<string>>>()(
  "@lectern/core/test/Outside"
) {
  static readonly layer = Layer.sync(Outside, () => new Map())
}

const fetching = Layer.effect(
  GuardedFetch,
  Effect.map(Outside, (outside) =>
    GuardedFetch.of({
      check: checking(new AllowedHosts()),
      fetch: (url, { maxBytes }) =>
        Effect.suspend((): Effect.Effect<string, FetchFailed> => {
          assert.strictEqual(maxBytes, 20 * 1024 * 1024)
          const found = outside.get(url) ?? new FetchFailed({ reason: "failed", message: "There is nothing" })
          return typeof found === "string" ? Effect.succeed(found) : Effect.isEffect(found) ? found : Effect.fail(found)
        }).pipe(Effect.map((text) => ({ bytes: new TextEncoder().encode(text), url }))),
      stream: () => Effect.die("A spec is fetched whole"),
      answer: () => Effect.die("A spec is fetched")
    })
  )
)

const adapters = {
  memory: MemoryStorage.layer,
  sqlite: Layer.unwrap(Effect.map(temporaryFile, (filename) => SqliteStorage.layer({ filename })))
}

const url = "https://api.example.com/openapi.json"
const failed = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), failureOf)

const failureOf = (exit: Exit.Exit<unknown, { readonly _tag: string }>) =>
  Exit.isFailure(exit) ? (Cause.squash(exit.cause) as { readonly _tag: string })._tag : undefined

const work = Effect.flatMap(JobWorker, ({ runDue }) => runDue)
const asHost = Effect.provideService(CurrentActor, host)

for (const [name, storage] of onEach(adapters)) {
  const services = Layer.unwrap(
    Effect.map(Outside, (outside) =>
      Lectern.layer({
        hasher: NodeHasher.layer,
        fetch: fetching.pipe(Layer.provide(Layer.succeed(Outside, outside)))
      })
    )
  ).pipe(Layer.provideMerge(storage), Layer.provideMerge(Outside.layer), Layer.merge(Layer.succeed(CurrentActor, host)))

  describe(`OpenApiSpecs (${name})`, () => {
    const test = <E>(title: string, body: Effect.Effect<void, E, Layer.Success<typeof services>>) =>
      it.effect(title, () => Effect.provide(body, Layer.fresh(services)))

    test(
      "are fetched, and keep what they found",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const versions = yield* OpenApiVersions
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
        assert.match((yield* Effect.flip(versions.get(acme, "pets", latest))).message, /no version yet/)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* work, 1)
        const done = yield* specs.get(acme, "pets")
        assert.strictEqual(done.processingState, "complete")
        assert.isDefined(done.lastVersion)
        assert.isAbove(Date.parse(done.lastProcessedAt!), Date.parse(made.createdAt))
        assert.notProperty(done, "lastProcessErrorCode")
        const version = yield* versions.get(acme, "pets", latest)
        assert.strictEqual(version.id, done.lastVersion)
        assert.deepStrictEqual(yield* versions.raw(acme, "pets", version.id), { text: yaml, format: "yaml" })
        const content = yield* versions.content(acme, "pets", version.id)
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
        const bytes = yield* versions.contentJson(acme, "pets", version.id)
        assert.deepStrictEqual(JSON.parse(new TextDecoder().decode(bytes)), content)
      })
    )

    test(
      "get a version for each content, and none for the same",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const versions = yield* OpenApiVersions
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
        const listed = yield* versions.list(acme, "pets", {})
        assert.strictEqual(listed.count, 3)
        assert.deepStrictEqual(
          listed.items.map(({ id }) => id),
          listed.items
            .map(({ id }) => id)
            .sort()
            .reverse()
        )
        const texts = yield* Effect.forEach(listed.items, ({ id }) => versions.raw(acme, "pets", id))
        assert.deepStrictEqual(
          texts.map(({ text }) => text),
          [JSON.stringify(swagger), small("Two"), small("One")]
        )
        const { filesystem, urls } = yield* versions.content(acme, "pets", latest)
        assert.match((filesystem[0]!.specification as { openapi: string }).openapi, /^3\.0/)
        assert.match(urls.source, /\/content\/raw$/)
        const page = yield* versions.list(acme, "pets", { limit: 2 })
        assert.strictEqual((yield* versions.list(acme, "pets", { limit: 2, ...page.next })).items.length, 1)
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
          [JSON.stringify({ openapi: "3.1.0", info: { title: "No version" } }), "PARSE_ERROR", /version/]
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
      "that change their source while they are processed hold what came last",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const versions = yield* OpenApiVersions
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
        assert.strictEqual((yield* versions.list(acme, "pets", {})).count, 1)
        assert.strictEqual((yield* versions.raw(acme, "pets", latest)).text, small("Later"))
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

    test(
      "are alone under their slug, however many want it at once",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const acme = yield* organization
        const other = yield* organization
        const source = { text: small() }
        const made = yield* Effect.forEach(
          Array.from({ length: 20 }),
          () => Effect.result(specs.create(acme, { slug: "pets", source })),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(made.map(({ _tag }) => _tag).sort(), [...Array<string>(19).fill("Failure"), "Success"])
        assert.strictEqual((yield* Effect.flip(specs.create(acme, { slug: "pets", source })))._tag, "SpecSlugTaken")
        yield* specs.create(other, { slug: "pets", source })
        for (const slug of ["b", "a", "z"]) yield* specs.put(acme, slug, { source })
        yield* Effect.forEach(Array.from({ length: 10 }), () => specs.put(acme, "new", { source }), {
          concurrency: "unbounded"
        })
        const listed = yield* specs.list(acme, {})
        assert.deepStrictEqual(
          listed.items.map(({ slug }) => slug),
          ["a", "b", "new", "pets", "z"]
        )
        assert.strictEqual(listed.count, 5)
        assert.strictEqual(yield* work, 6)
      })
    )

    test(
      "are refused where the source can't be fetched from, or the slug is none",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const acme = yield* organization
        for (const bad of ["http://127.0.0.1/", "http://[::1]/", "ftp://example.com", "file:///etc/passwd", "no URL"]) {
          for (const write of [
            specs.create(acme, { slug: "a", source: { url: bad } }),
            specs.put(acme, "a", { source: { url: bad } })
          ]) {
            const failure = yield* Effect.flip(write)
            assert(failure._tag === "InvalidSpecSource", bad)
            assert.deepStrictEqual(
              failure.issues.map(({ path }) => path),
              ["body.source.url"]
            )
          }
        }
        for (const slug of ["", "A", "a--b", "-a", "a_b", "ä", "a".repeat(101)]) {
          for (const write of [
            specs.create(acme, { slug, source: { text: small() } }),
            specs.put(acme, slug, { source: { text: small() } })
          ])
            assert.strictEqual((yield* Effect.flip(write))._tag, "InvalidInput", slug)
        }
        for (const source of [
          {},
          { text: "" },
          { text: "a\u0000" },
          { url: `https://example.com/${"a".repeat(2048)}` }
        ]) {
          const failure = yield* Effect.flip(specs.create(acme, { slug: "a", source: source as never }))
          assert.strictEqual(failure._tag, "InvalidInput")
        }
        const many = yield* Effect.flip(specs.put(acme, "a", { source: { text: "ä".repeat(11 * 1024 * 1024) } }))
        assert.strictEqual(many._tag, "InvalidSpecSource")
        assert.strictEqual((yield* specs.list(acme, {})).count, 0)
      })
    )

    test(
      "take the role that was decided, and are seen by everyone while they are public",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const versions = yield* OpenApiVersions
        const organizations = yield* Organizations
        const users = yield* Users
        const acme = yield* organization
        const source = { text: small() }
        yield* specs.create(acme, { slug: "pets", source })
        yield* work
        const as = Effect.fnUntraced(function* (role: Role | null | undefined) {
          const { id } = yield* users.create({ email: `${String(role)}@example.com` })
          if (role !== undefined) yield* organizations.join(acme, id, role)
          return Effect.provideService(CurrentActor, { type: "user", user: id })
        })
        const guest = yield* as(null)
        const reader = yield* as("read")
        const reviewer = yield* as("review")
        const creator = yield* as("create")
        const stranger = yield* as(undefined)
        for (const someone of [guest, reader, reviewer]) {
          assert.deepStrictEqual((yield* someone(specs.get(acme, "pets"))).permissions, { view: true, edit: false })
          assert.strictEqual((yield* someone(specs.list(acme, {}))).count, 1)
          for (const refused of [
            failed(specs.create(acme, { slug: "more", source })),
            failed(specs.put(acme, "pets", { source })),
            failed(specs.update(acme, "pets", { visibility: "public" })),
            failed(specs.remove(acme, "pets"))
          ])
            assert.strictEqual(yield* someone(refused), "Forbidden")
          yield* someone(specs.remove(acme, "none"))
        }
        assert.deepStrictEqual((yield* creator(specs.get(acme, "pets"))).permissions, { view: true, edit: true })
        for (const unseen of [
          failed(specs.get(acme, "pets")),
          failed(specs.list(acme, {})),
          failed(specs.remove(acme, "pets")),
          failed(versions.list(acme, "pets", {})),
          failed(versions.raw(acme, "pets", latest))
        ])
          assert.strictEqual(yield* stranger(unseen), "OrganizationNotFound")
        assert.strictEqual((yield* Effect.flip(versions.published(acme, "pets")))._tag, "OpenApiSpecNotFound")

        const shown = yield* creator(specs.update(acme, "pets", { visibility: "public" }))
        assert.match(shown.urls.published ?? "", new RegExp(`/v1/openapi/${acme}/pets$`))
        assert.deepStrictEqual((yield* stranger(specs.get(acme, "pets"))).permissions, { view: true, edit: false })
        assert.strictEqual((yield* stranger(versions.raw(acme, "pets", latest))).text, small())
        assert.strictEqual((yield* Effect.flip(stranger(specs.remove(acme, "pets"))))._tag, "Forbidden")
        assert.strictEqual((yield* Effect.flip(stranger(specs.list(acme, {}))))._tag, "OrganizationNotFound")
        const { urls } = yield* stranger(versions.content(acme, "pets", latest))
        assert.strictEqual(urls.public, shown.urls.published)
        const { document } = yield* versions.published(acme, "pets")
        assert.strictEqual(new TextDecoder().decode(yield* document), small())

        yield* creator(specs.update(acme, "pets", { visibility: "private" }))
        assert.strictEqual((yield* Effect.flip(versions.published(acme, "pets")))._tag, "OpenApiSpecNotFound")
        assert.strictEqual(
          (yield* Effect.flip(versions.published(OrganizationId.make("none"), "x")))._tag,
          "OpenApiSpecNotFound"
        )
      })
    )

    test(
      "show no version of another spec",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const versions = yield* OpenApiVersions
        const acme = yield* organization
        yield* specs.create(acme, { slug: "a", source: { text: small("A") } })
        yield* specs.create(acme, { slug: "b", source: { text: small("B") } })
        yield* work
        const { id } = yield* versions.get(acme, "a", latest)
        assert.strictEqual((yield* Effect.flip(versions.raw(acme, "b", id)))._tag, "OpenApiSpecNotFound")
        assert.strictEqual((yield* Effect.flip(versions.raw(acme, "c", id)))._tag, "OpenApiSpecNotFound")
      })
    )

    test(
      "keep what they hold from being swept, until they are deleted",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const versions = yield* OpenApiVersions
        const blobs = yield* BlobStore
        const acme = yield* organization
        yield* specs.create(acme, { slug: "pets", source: { text: yaml } })
        // The server was off for days before the job ran.
        yield* TestClock.adjust("3 days")
        yield* collect()
        yield* work
        yield* TestClock.adjust("3 days")
        assert.strictEqual((yield* collect()).blobs, 0)
        assert.strictEqual((yield* versions.raw(acme, "pets", latest)).text, yaml)
        yield* versions.content(acme, "pets", latest)
        yield* specs.remove(acme, "pets")
        assert.strictEqual((yield* collect()).blobs, 2)
        assert.isEmpty(yield* blobs.list({ limit: 10 }))
      })
    )

    test(
      "keep their newest versions, and the store what those hold",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const versions = yield* OpenApiVersions
        const blobs = yield* BlobStore
        const acme = yield* organization
        const put = (text: string) => Effect.andThen(specs.put(acme, "pets", { source: { text } }), work)
        yield* specs.put(acme, "other", { source: { text: yaml } })
        for (let i = 1; i <= maxVersions; i++) yield* put(small(`V${i}`))
        const oldest = (yield* versions.list(acme, "pets", { limit: 1000 })).items.at(-1)!
        assert.strictEqual((yield* versions.raw(acme, "pets", oldest.id)).text, small("V1"))
        yield* put(small("One more"))
        yield* put(small("One more"))
        assert.strictEqual(yield* failed(versions.get(acme, "pets", oldest.id)), "OpenApiSpecNotFound")
        const { items, count } = yield* versions.list(acme, "pets", { limit: 1000 })
        assert.deepStrictEqual([items.length, count], [maxVersions, maxVersions])
        assert.strictEqual((yield* versions.raw(acme, "pets", items[0]!.id)).text, small("One more"))
        assert.strictEqual((yield* versions.raw(acme, "pets", items.at(-1)!.id)).text, small("V2"))
        yield* versions.get(acme, "other", latest)
        const kept = (yield* blobs.list({ limit: 1000 })).length
        yield* TestClock.adjust("3 days")
        const { blobs: swept } = yield* collect()
        assert.isAtLeast(swept, 1)
        assert.lengthOf(yield* blobs.list({ limit: 1000 }), kept - swept)
        yield* Effect.forEach(items, ({ id }) => versions.content(acme, "pets", id))
      })
    )

    test(
      "are so many in an organization",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const rows = (yield* Storage).repository(OpenApiSpecTable)
        const acme = yield* organization
        const { slug } = yield* specs.create(acme, { slug: "pets", source: { url } })
        const [row] = yield* rows.list({ where: { organization: acme } })
        yield* Effect.forEach(
          Array.from({ length: maxSpecs - 1 }, (_, i) => `s${i}`),
          (slug) => rows.insert({ ...row!, id: OpenApiSpecId.make(slug), slug })
        )
        const create = specs.create(acme, { slug: "more", source: { url } })
        assert.match((yield* Effect.flip(create)).message, /at most 1,000 specs/)
        assert.strictEqual(yield* failed(specs.put(acme, "more", { source: { url } })), "TooManySpecs")
        // What is there can be changed and deleted, and another organization has room.
        yield* specs.put(acme, slug, { source: { url } })
        yield* specs.create(yield* organization, { slug: "more", source: { url } })
        yield* specs.remove(acme, slug)
        yield* create
      })
    )

    test(
      "tell what happened to them",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const events = yield* Events
        const acme = yield* organization
        const after = yield* events.cursor("test")
        yield* specs.create(acme, { slug: "pets", source: { text: small() } })
        yield* asHost(specs.update(acme, "pets", { visibility: "public" }))
        yield* work
        yield* specs.remove(acme, "pets")
        yield* specs.remove(acme, "pets")
        const { events: told } = yield* events.read({ after })
        assert.deepStrictEqual(
          told.map(({ type }) => type),
          ["openapi_spec_created", "openapi_spec_updated", "openapi_spec_processed", "openapi_spec_deleted"]
        )
      })
    )
  })
}
