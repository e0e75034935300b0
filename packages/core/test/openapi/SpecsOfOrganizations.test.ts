/** Specs as an organization has them, on both adapters: their slugs, who may do what, how many, what is kept. */
import { assert, describe, it } from "@effect/vitest"
import { CurrentActor } from "@lectern/core/access/Actor"
import type { Role } from "@lectern/core/access/Role"
import { collect } from "@lectern/core/content/store/GarbageCollection"
import { Events } from "@lectern/core/event/Events"
import { maxSpecs, maxVersions, OpenApiSpecId, OpenApiSpecTable } from "@lectern/core/openapi/OpenApiSpec"
import { OpenApiSpecs } from "@lectern/core/openapi/OpenApiSpecs"
import { latest } from "@lectern/core/openapi/OpenApiVersions"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { BlobStore } from "@lectern/core/storage/BlobStore"
import { Storage } from "@lectern/core/storage/Storage"
import { Users } from "@lectern/core/user/Users"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { organization } from "../Instances.ts"
import { small, yaml } from "./SpecTexts.ts"
import { adapters, asHost, failed, type Services, servicesOver, url, work } from "./SpecSteps.ts"

for (const [name, storage] of onEach(adapters)) {
  describe(`OpenApiSpecs of an organization (${name})`, () => {
    const test = <E>(title: string, body: Effect.Effect<void, E, Services>) =>
      it.effect(title, () => Effect.provide(body, Layer.fresh(servicesOver(storage))))

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
          failed(specs.versions(acme, "pets", {})),
          failed(specs.raw(acme, "pets", latest))
        ])
          assert.strictEqual(yield* stranger(unseen), "OrganizationNotFound")
        assert.strictEqual((yield* Effect.flip(specs.published(acme, "pets")))._tag, "OpenApiSpecNotFound")

        const shown = yield* creator(specs.update(acme, "pets", { visibility: "public" }))
        assert.match(shown.urls.published ?? "", new RegExp(`/v1/openapi/${acme}/pets$`))
        assert.deepStrictEqual((yield* stranger(specs.get(acme, "pets"))).permissions, { view: true, edit: false })
        assert.strictEqual((yield* stranger(specs.raw(acme, "pets", latest))).text, small())
        assert.strictEqual((yield* Effect.flip(stranger(specs.remove(acme, "pets"))))._tag, "Forbidden")
        assert.strictEqual((yield* Effect.flip(stranger(specs.list(acme, {}))))._tag, "OrganizationNotFound")
        const { urls } = yield* stranger(specs.content(acme, "pets", latest))
        assert.strictEqual(urls.public, shown.urls.published)
        const { document } = yield* specs.published(acme, "pets")
        assert.strictEqual(new TextDecoder().decode(yield* document), small())

        yield* creator(specs.update(acme, "pets", { visibility: "private" }))
        assert.strictEqual((yield* Effect.flip(specs.published(acme, "pets")))._tag, "OpenApiSpecNotFound")
        assert.strictEqual(
          (yield* Effect.flip(specs.published(OrganizationId.make("none"), "x")))._tag,
          "OpenApiSpecNotFound"
        )
      })
    )

    test(
      "show no version of another spec",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const acme = yield* organization
        yield* specs.create(acme, { slug: "a", source: { text: small("A") } })
        yield* specs.create(acme, { slug: "b", source: { text: small("B") } })
        yield* work
        const { id } = yield* specs.version(acme, "a", latest)
        assert.strictEqual((yield* Effect.flip(specs.raw(acme, "b", id)))._tag, "OpenApiSpecNotFound")
        assert.strictEqual((yield* Effect.flip(specs.raw(acme, "c", id)))._tag, "OpenApiSpecNotFound")
      })
    )

    test(
      "keep what they hold from being swept, until they are deleted",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const blobs = yield* BlobStore
        const acme = yield* organization
        yield* specs.create(acme, { slug: "pets", source: { text: yaml } })
        // The server was off for days before the job ran.
        yield* TestClock.adjust("3 days")
        yield* collect()
        yield* work
        yield* TestClock.adjust("3 days")
        assert.strictEqual((yield* collect()).blobs, 0)
        assert.strictEqual((yield* specs.raw(acme, "pets", latest)).text, yaml)
        yield* specs.content(acme, "pets", latest)
        yield* specs.remove(acme, "pets")
        assert.strictEqual((yield* collect()).blobs, 2)
        assert.isEmpty(yield* blobs.list({ limit: 10 }))
      })
    )

    test(
      "keep their newest versions, and the store what those hold",
      Effect.gen(function* () {
        const specs = yield* OpenApiSpecs
        const blobs = yield* BlobStore
        const acme = yield* organization
        const put = (text: string) => Effect.andThen(specs.put(acme, "pets", { source: { text } }), work)
        yield* specs.put(acme, "other", { source: { text: yaml } })
        for (let i = 1; i <= maxVersions; i++) yield* put(small(`V${i}`))
        const oldest = (yield* specs.versions(acme, "pets", { limit: 1000 })).items.at(-1)!
        assert.strictEqual((yield* specs.raw(acme, "pets", oldest.id)).text, small("V1"))
        yield* put(small("One more"))
        yield* put(small("One more"))
        assert.strictEqual(yield* failed(specs.version(acme, "pets", oldest.id)), "OpenApiSpecNotFound")
        const { items, count } = yield* specs.versions(acme, "pets", { limit: 1000 })
        assert.deepStrictEqual([items.length, count], [maxVersions, maxVersions])
        assert.strictEqual((yield* specs.raw(acme, "pets", items[0]!.id)).text, small("One more"))
        assert.strictEqual((yield* specs.raw(acme, "pets", items.at(-1)!.id)).text, small("V2"))
        yield* specs.version(acme, "other", latest)
        const kept = (yield* blobs.list({ limit: 1000 })).length
        yield* TestClock.adjust("3 days")
        const { blobs: swept } = yield* collect()
        assert.isAtLeast(swept, 1)
        assert.lengthOf(yield* blobs.list({ limit: 1000 }), kept - swept)
        yield* Effect.forEach(items, ({ id }) => specs.content(acme, "pets", id))
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
