/** Reads the versions of OpenAPI specs and their content, and public specs for everyone. */
import { Effect, type Schema } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { concatenated } from "../schema/Bytes.ts"
import { StringifyText } from "../schema/StringifyText.ts"
import { type BlobHash, BlobStore } from "../storage/BlobStore.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { Storage, StorageError } from "../storage/Storage.ts"
import { Threads } from "../thread/Threads.ts"
import { OpenApiSpecNotFound, type OpenApiSpecRow } from "./OpenApiSpec.ts"
import { makeOpenApiSpecPolicy, specUrls } from "./OpenApiSpecPolicy.ts"
import * as SpecJson from "./SpecJson.ts"
import {
  type OpenApiContent,
  type OpenApiRawContent,
  type OpenApiVersion,
  type OpenApiVersionRow,
  OpenApiVersionTable
} from "./OpenApiVersion.ts"

/** Stands for the last version wherever the id of a version is expected. */
export const latest = "latest"

type Failure = OrganizationNotFound | OpenApiSpecNotFound | Forbidden | StorageError

export interface OpenApiVersions {
  /**
   * Lists the versions of a spec, newest first.
   *
   * @param slug Slug of the spec.
   * @throws {Forbidden}
   * @throws {InvalidCursor}
   * @throws {OpenApiSpecNotFound}
   * @throws {OrganizationNotFound}
   */
  readonly versions: (
    organization: OrganizationId,
    slug: string,
    params: PageParams
  ) => Effect.Effect<ListPage<OpenApiVersion>, Failure | InvalidCursor, CurrentActor>
  /**
   * Returns a version of a spec.
   *
   * @param slug Slug of the spec.
   * @param version Id of the version, or `latest`.
   * @throws {Forbidden}
   * @throws {OpenApiSpecNotFound} If the version does not exist.
   * @throws {OrganizationNotFound}
   */
  readonly version: (
    organization: OrganizationId,
    slug: string,
    version: string
  ) => Effect.Effect<OpenApiVersion, Failure, CurrentActor>
  /**
   * Returns the files of a version, each as a JSON value. A number that JavaScript would change, such as
   * 9223372036854775807 or 1.0, is a raw JSON value (`JSON.isRawJSON`), which `JSON.stringify` writes unchanged.
   *
   * @param slug Slug of the spec.
   * @param version Id of the version, or `latest`.
   * @throws {Forbidden}
   * @throws {OpenApiSpecNotFound}
   * @throws {OrganizationNotFound}
   */
  readonly content: (
    organization: OrganizationId,
    slug: string,
    version: string
  ) => Effect.Effect<OpenApiContent, Failure, CurrentActor>
  /**
   * Returns `content` as JSON in UTF-8, assembled from stored bytes without parsing.
   *
   * @param slug Slug of the spec.
   * @param version Id of the version, or `latest`.
   * @throws {Forbidden}
   * @throws {OpenApiSpecNotFound}
   * @throws {OrganizationNotFound}
   */
  readonly contentJson: (
    organization: OrganizationId,
    slug: string,
    version: string
  ) => Effect.Effect<Uint8Array, Failure, CurrentActor>
  /**
   * Returns the source text of a version, unchanged, and its format.
   *
   * @param slug Slug of the spec.
   * @param version Id of the version, or `latest`.
   * @throws {Forbidden}
   * @throws {OpenApiSpecNotFound}
   * @throws {OrganizationNotFound}
   */
  readonly raw: (
    organization: OrganizationId,
    slug: string,
    version: string
  ) => Effect.Effect<OpenApiRawContent, Failure, CurrentActor>
  /**
   * Returns `raw` as JSON in UTF-8. A thread serializes the text.
   *
   * @param slug Slug of the spec.
   * @param version Id of the version, or `latest`.
   * @throws {Forbidden}
   * @throws {OpenApiSpecNotFound}
   * @throws {OrganizationNotFound}
   */
  readonly rawJson: (
    organization: OrganizationId,
    slug: string,
    version: string
  ) => Effect.Effect<Uint8Array, Failure, CurrentActor>
  /**
   * Returns the last version of a public spec for everyone. `version`: id of the version, which identifies the
   * content; `document`: JSON in UTF-8.
   *
   * @throws {OpenApiSpecNotFound}
   */
  readonly published: (
    organization: OrganizationId,
    slug: string
  ) => Effect.Effect<
    { readonly version: string; readonly document: Effect.Effect<Uint8Array, StorageError> },
    OpenApiSpecNotFound | StorageError
  >
}

export const makeOpenApiVersions = Effect.gen(function* () {
  const storage = yield* Storage
  const blobs = yield* BlobStore
  const paging = yield* Paging
  const policy = yield* makeOpenApiSpecPolicy
  const threads = yield* Threads
  const urlsOf = yield* specUrls
  const versionRows = storage.repository(OpenApiVersionTable)

  const present = (spec: OpenApiSpecRow, { id, createdAt }: OpenApiVersionRow): OpenApiVersion => {
    const location = `${urlsOf(spec).location}/versions/${id}`
    return { object: "openapi-spec-version", id, createdAt, url: `${location}/content`, urls: { location } }
  }

  const read = Effect.fnUntraced(function* (hash: BlobHash) {
    const bytes = yield* blobs.get(hash)
    if (bytes === undefined) return yield* new StorageError({ reason: "failed", message: `Blob ${hash} is missing` })
    return bytes
  })

  const require = Effect.fnUntraced(function* (organization: OrganizationId, slug: string, version: string) {
    const { spec } = yield* policy.require(organization, slug, "see this spec")
    const id = version === latest ? spec.lastVersion : version
    const row = id === undefined ? undefined : yield* versionRows.get({ id: id as OpenApiVersionRow["id"] })
    if (row?.spec !== spec.id) {
      return yield* new OpenApiSpecNotFound({
        message: id === undefined ? "The spec has no version yet" : `The spec has no version ${id.slice(0, 100)}`
      })
    }
    return { spec, row }
  })

  const fileOf = (spec: OpenApiSpecRow, row: OpenApiVersionRow) => {
    const { location, published } = { published: undefined, ...urlsOf(spec) }
    return {
      file: { dir: "./", filename: `openapi.${row.format}`, isEntrypoint: true, references: [] },
      urls: {
        // The URL of a public document needs no token.
        source:
          row.sourceURL ??
          (row.id === spec.lastVersion ? published : undefined) ??
          `${location}/versions/${row.id}/content/raw`,
        public: published ?? null
      }
    }
  }

  return {
    versions: Effect.fn("OpenApiSpecs.versions")(function* (organization, slug, params) {
      const { spec } = yield* policy.require(organization, slug, "see this spec")
      const query = { where: { spec: spec.id }, descending: true } as const
      const page = yield* paging.rows(OpenApiVersionTable, `versions of ${spec.id}`, query, params)
      return { ...page, items: page.items.map((row) => present(spec, row)) }
    }),

    version: Effect.fn("OpenApiSpecs.version")(function* (organization, slug, version) {
      const { spec, row } = yield* require(organization, slug, version)
      return present(spec, row)
    }),

    content: Effect.fn("OpenApiSpecs.content")(
      function* (organization, slug, version) {
        const { spec, row } = yield* require(organization, slug, version)
        const { file, urls } = fileOf(spec, row)
        const specification = (yield* SpecJson.parseInSlices(threads, yield* read(row.document))) as Schema.Json
        return { filesystem: [{ ...file, specification }], url: urls.source, urls }
      },
      Effect.catchTag("TooCostly", Effect.die)
    ),

    contentJson: Effect.fn("OpenApiSpecs.contentJson")(function* (organization, slug, version) {
      const { spec, row } = yield* require(organization, slug, version)
      const { file, urls } = fileOf(spec, row)
      const head = `{"filesystem":[${JSON.stringify(file).slice(0, -1)},"specification":`
      return joinBytes(
        head,
        yield* read(row.document),
        `}],"url":${JSON.stringify(urls.source)},"urls":${JSON.stringify(urls)}}`
      )
    }),

    raw: Effect.fn("OpenApiSpecs.raw")(function* (organization, slug, version) {
      const { row } = yield* require(organization, slug, version)
      return { text: new TextDecoder().decode(yield* read(row.source)), format: row.format }
    }),

    rawJson: Effect.fn("OpenApiSpecs.rawJson")(
      function* (organization, slug, version) {
        const { row } = yield* require(organization, slug, version)
        const text = yield* threads.run(StringifyText, yield* read(row.source))
        return joinBytes('{"text":', text, `,"format":${JSON.stringify(row.format)}}`)
      },
      Effect.catchTag("TooCostly", Effect.die)
    ),

    published: Effect.fn("OpenApiSpecs.published")(function* (organization, slug) {
      const spec = yield* policy.find(organization, slug)
      const row =
        spec?.visibility === "public" && spec.lastVersion !== undefined
          ? yield* versionRows.get({ id: spec.lastVersion })
          : undefined
      if (row === undefined) {
        return yield* new OpenApiSpecNotFound({ message: `There is no public spec ${slug.slice(0, 100)} here` })
      }
      return { version: row.id, document: read(row.document) }
    })
  } satisfies OpenApiVersions
})

const joinBytes = (head: string, body: Uint8Array, tail: string): Uint8Array => {
  const encoder = new TextEncoder()
  return concatenated([encoder.encode(head), body, encoder.encode(tail)])
}
