/** Lists, creates, refreshes, updates and deletes OpenAPI specs, and reads their versions. A job processes them (see `OpenApiProcessing`). */
import { Context, Effect, Result, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import { changesOf } from "../audit/Changes.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Events } from "../event/Events.ts"
import { GuardedFetch } from "../fetch/GuardedFetch.ts"
import { Ids } from "../identity/Ids.ts"
import { Jobs } from "../job/Jobs.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, hasChanges, Storage, type StorageError } from "../storage/Storage.ts"
import * as StoredBlob from "../storage/StoredBlob.ts"
import { ProcessSpec } from "./OpenApiProcessing.ts"
import {
  InvalidSpecSource,
  maxSpecBytes,
  maxSpecs,
  type OpenApiSpec,
  OpenApiSpecCreate,
  OpenApiSpecId,
  type OpenApiSpecNotFound,
  OpenApiSpecPatch,
  OpenApiSpecPut,
  type OpenApiSpecRow,
  OpenApiSpecTable,
  SpecSlug,
  SpecSlugTaken,
  type SpecSource,
  TooManySpecs
} from "./OpenApiSpec.ts"
import { makeOpenApiSpecPolicy, presentSpec } from "./OpenApiSpecPolicy.ts"
import { next } from "./OpenApiSpecState.ts"
import { OpenApiVersionTable } from "./OpenApiVersion.ts"
import { makeOpenApiVersions, type OpenApiVersions } from "./OpenApiVersions.ts"

const acceptCreate = accepting(OpenApiSpecCreate)
const acceptPut = accepting(OpenApiSpecPut)
const acceptPatch = accepting(OpenApiSpecPatch)
const acceptSlug = accepting(SpecSlug, "path.specSlug")

type Failure = OrganizationNotFound | Forbidden | StorageError
type WriteFailure = Failure | InvalidInput | InvalidSpecSource

export class OpenApiSpecs extends Context.Service<
  OpenApiSpecs,
  OpenApiVersions & {
    /**
     * Lists the specs of an organization in the order of their slugs.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams
    ) => Effect.Effect<ListPage<OpenApiSpec>, Failure | InvalidCursor, CurrentActor>
    /**
     * Returns a spec of an organization.
     *
     * @param slug Slug of the spec.
     * @throws {Forbidden}
     * @throws {OpenApiSpecNotFound}
     * @throws {OrganizationNotFound}
     */
    readonly get: (
      organization: OrganizationId,
      slug: string
    ) => Effect.Effect<OpenApiSpec, Failure | OpenApiSpecNotFound, CurrentActor>
    /**
     * Creates a spec from a URL or a text. A job then fetches and parses the source.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidSpecSource}
     * @throws {OrganizationNotFound}
     * @throws {SpecSlugTaken} If a spec has the slug.
     * @throws {TooManySpecs} If the organization has 1,000 specs.
     * @example
     * ```ts
     * await lectern.openApiSpecs.create(organization.id, {
     *   slug: "payments",
     *   source: { text: JSON.stringify({ openapi: "3.1.0", info: { title: "Payments", version: "1" }, paths: {} }) }
     * })
     * ```
     */
    readonly create: (
      organization: OrganizationId,
      input: OpenApiSpecCreate
    ) => Effect.Effect<OpenApiSpec, WriteFailure | TooManySpecs | SpecSlugTaken, CurrentActor>
    /**
     * Creates a spec, or replaces its source. An existing spec is processed again, also with an equal source.
     *
     * @param slug Slug of the spec.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidSpecSource}
     * @throws {OrganizationNotFound}
     * @throws {TooManySpecs}
     */
    readonly put: (
      organization: OrganizationId,
      slug: string,
      input: OpenApiSpecPut
    ) => Effect.Effect<OpenApiSpec, WriteFailure | TooManySpecs, CurrentActor>
    /**
     * Changes the visibility of a spec.
     *
     * @param slug Slug of the spec.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {OpenApiSpecNotFound}
     * @throws {OrganizationNotFound}
     */
    readonly update: (
      organization: OrganizationId,
      slug: string,
      patch: OpenApiSpecPatch
    ) => Effect.Effect<OpenApiSpec, Failure | InvalidInput | OpenApiSpecNotFound, CurrentActor>
    /**
     * Deletes a spec with its versions. Succeeds if the spec does not exist.
     *
     * @param slug Slug of the spec.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     */
    readonly remove: (organization: OrganizationId, slug: string) => Effect.Effect<void, Failure, CurrentActor>
  }
>()("@lectern/core/openapi/OpenApiSpecs") {
  static readonly layer = Layer.effect(
    OpenApiSpecs,
    Effect.gen(function* () {
      const storage = yield* Storage
      const store = yield* StoredBlob.make
      const ids = yield* Ids
      const jobs = yield* Jobs
      const events = yield* Events
      const paging = yield* Paging
      const fetcher = yield* GuardedFetch
      const policy = yield* makeOpenApiSpecPolicy
      const present = yield* presentSpec
      const specs = storage.repository(OpenApiSpecTable)
      const versions = storage.repository(OpenApiVersionTable)

      /** Returns the source as stored in a row. Stores a text as a blob before a row refers to it. */
      const storeSource = Effect.fnUntraced(function* (source: SpecSource) {
        if ("url" in source) {
          const { href } = yield* fetcher
            .check(source.url)
            .pipe(Effect.mapError(({ message }) => invalidSource("url", message)))
          return { url: href.length <= 2048 ? href : source.url }
        }
        // Encoding a large text takes long, so the fiber yields before.
        yield* Effect.yieldNow
        const bytes = new TextEncoder().encode(source.text)
        if (bytes.length > maxSpecBytes) return yield* invalidSource("text", "Expected at most 20 MiB")
        return { text: yield* store(bytes) }
      })

      const insert = Effect.fnUntraced(function* (
        organization: OrganizationId,
        slug: string,
        source: OpenApiSpecRow["source"],
        visibility: OpenApiSpecRow["visibility"] = "private"
      ) {
        if ((yield* specs.count({ organization })) >= maxSpecs) {
          return yield* new TooManySpecs({
            message: `An organization has at most ${maxSpecs.toLocaleString("en")} specs: delete one first`
          })
        }
        const now = yield* Timestamps.now
        const row: OpenApiSpecRow = {
          id: OpenApiSpecId.make(yield* ids.next),
          organization,
          slug,
          source,
          visibility,
          processingState: "pending",
          request: yield* ids.next,
          lastProcessedErrorCount: 0,
          createdAt: now,
          updatedAt: now
        }
        yield* specs
          .insert(row)
          .pipe(
            Effect.catchTag("UniqueConflict", () =>
              Effect.fail(new SpecSlugTaken({ message: `There is a spec ${slug} already` }))
            )
          )
        yield* events.emit({ type: "openapi_spec_created", organization, spec: row.id, slug }, { label: slug })
        return row
      })

      /** Enqueues the job that processes a spec. Call it in the transaction that writes the request. */
      const enqueue = ({ id }: OpenApiSpecRow) => jobs.enqueue(ProcessSpec, { spec: id }, { key: id })

      return OpenApiSpecs.of({
        ...(yield* makeOpenApiVersions),
        list: Effect.fn("OpenApiSpecs.list")(function* (organization, params) {
          const member = yield* policy.requireMember(organization, "see this spec")
          const query = { where: { organization }, order: ["slug"] as const }
          const page = yield* paging.rows(OpenApiSpecTable, `openapi specs of ${organization}`, query, params)
          return { ...page, items: page.items.map((spec) => present({ spec, member })) }
        }),

        get: Effect.fn("OpenApiSpecs.get")(function* (organization, slug) {
          return present(yield* policy.require(organization, slug, "see this spec"))
        }),

        create: Effect.fn("OpenApiSpecs.create")(function* (organization, rawInput) {
          yield* policy.requireMember(organization, "make specs in this organization")
          const { slug, source: sourceInput, visibility } = yield* acceptCreate(rawInput)
          const source = yield* storeSource(sourceInput)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const member = yield* policy.requireMember(organization, "make specs in this organization")
              const spec = yield* insert(organization, slug, source, visibility)
              yield* enqueue(spec)
              return present({ spec, member })
            })
          )
        }),

        put: Effect.fn("OpenApiSpecs.put")(function* (organization, slug, rawInput) {
          yield* policy.requireMember(organization, "make specs in this organization")
          yield* acceptSlug(slug)
          const source = yield* storeSource((yield* acceptPut(rawInput)).source)
          const request = yield* ids.next
          return yield* storage.transaction(
            Effect.gen(function* () {
              const member = yield* policy.requireMember(organization, "make specs in this organization")
              const existing = yield* policy.find(organization, slug)
              if (existing === undefined) {
                const spec = yield* insert(organization, slug, source).pipe(
                  Effect.catchTag("SpecSlugTaken", Effect.die)
                )
                yield* enqueue(spec)
                return present({ spec, member })
              }
              const patch = Result.getOrThrow(
                next(existing, { type: "request", request, source }, yield* Timestamps.now)
              )
              yield* specs.update({ id: existing.id }, patch).pipe(cannotConflict)
              yield* events.emit({ type: "openapi_spec_updated", organization, spec: existing.id, slug: existing.slug })
              yield* enqueue(existing)
              return present({ spec: (yield* specs.get({ id: existing.id }))!, member })
            })
          )
        }),

        update: Effect.fn("OpenApiSpecs.update")(function* (organization, slug, rawInput) {
          const { visibility } = yield* acceptPatch(rawInput)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const { spec, member } = yield* policy.require(organization, slug, "change this spec")
              if (!hasChanges(spec, { visibility })) return present({ spec, member })
              const patch = { visibility, updatedAt: yield* Timestamps.now }
              yield* specs.update({ id: spec.id }, patch).pipe(cannotConflict)
              yield* events.emit(
                { type: "openapi_spec_updated", organization, spec: spec.id, slug },
                { label: slug, changes: changesOf(spec, { ...spec, visibility }, ["visibility"]) }
              )
              return present({ spec: applyPatch(OpenApiSpecTable, spec, patch), member })
            })
          )
        }),

        remove: Effect.fn("OpenApiSpecs.remove")(function* (organization, slug) {
          yield* storage
            .transaction(
              Effect.gen(function* () {
                const { spec } = yield* policy.require(organization, slug, "delete this spec")
                yield* versions.remove({ spec: spec.id })
                yield* specs.remove({ id: spec.id })
                yield* events.emit({ type: "openapi_spec_deleted", organization, spec: spec.id, slug }, { label: slug })
              })
            )
            .pipe(Effect.catchTag("OpenApiSpecNotFound", () => Effect.void))
        })
      })
    })
  )
}

const invalidSource = (field: string, message: string) =>
  new InvalidSpecSource({ issues: [{ path: `body.source.${field}`, message }] })
