/**
 * Job that processes a spec: fetches or reads its source, parses it, and stores the result as a version. If the bytes
 * equal those of the last version, no version is added. The newest versions are stored (see `OpenApiSpec`). Blobs that
 * only older versions refer to become garbage.
 *
 * An invalid or unreachable source is recorded on the spec, and the last version remains. After a storage error the job
 * is retried.
 */
import { Effect, Result, Schema } from "effect"
import { Events } from "../event/Events.ts"
import { GuardedFetch } from "../fetch/GuardedFetch.ts"
import { Ids } from "../identity/Ids.ts"
import * as Job from "../job/Job.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { type BlobHash, BlobStore } from "../storage/BlobStore.ts"
import { Hasher } from "../storage/Hasher.ts"
import { cannotConflict, Storage, StorageError } from "../storage/Storage.ts"
import { Threads } from "../thread/Threads.ts"
import {
  maxSpecBytes,
  maxVersions,
  OpenApiSpecId,
  type OpenApiSpecRow,
  OpenApiSpecTable,
  OpenApiVersionId,
  type ProcessErrorCode
} from "./OpenApiSpec.ts"
import { next, type SpecEvent } from "./OpenApiSpecState.ts"
import { type OpenApiVersionRow, OpenApiVersionTable } from "./OpenApiVersion.ts"
import { type ParsedSpec, ReadSpec } from "./ReadSpec.ts"

export const ProcessSpec = Job.kind("process-openapi-spec", Schema.Struct({ spec: OpenApiSpecId }))

/** Maximum number of old versions that are deleted with a new one. */
const maxPruned = 50

const accept = "application/json, application/yaml;q=0.9, application/vnd.oai.openapi;q=0.9, text/yaml;q=0.8, */*;q=0.5"

/** A source that could not be fetched or read. */
class SourceFailed extends Schema.TaggedError<SourceFailed>()("SourceFailed", {
  code: Schema.Literals(["FETCH_TIMEOUT", "FETCH_ERROR", "PARSE_ERROR"]),
  messages: Schema.Array(Schema.String),
  count: Schema.Int
}) {}

const sourceFailed = (code: ProcessErrorCode, message: string) =>
  new SourceFailed({ code, messages: [message], count: 1 })

export const processSpec = Effect.gen(function* () {
  const storage = yield* Storage
  const blobs = yield* BlobStore
  const hasher = yield* Hasher
  const ids = yield* Ids
  const events = yield* Events
  const fetcher = yield* GuardedFetch
  const threads = yield* Threads
  const specs = storage.repository(OpenApiSpecTable)
  const versions = storage.repository(OpenApiVersionTable)

  /**
   * Applies an event to a spec, and runs `inTransaction` in the same transaction. Returns the spec before the event.
   * Undefined if the spec does not exist, or its state does not allow the event.
   */
  const step = (
    id: OpenApiSpecId,
    event: SpecEvent,
    inTransaction: (spec: OpenApiSpecRow) => Effect.Effect<void, StorageError>
  ) =>
    storage.transaction(
      Effect.gen(function* () {
        const spec = yield* specs.get({ id })
        const patch = spec && next(spec, event, yield* Timestamps.now)
        if (patch === undefined || Result.isFailure(patch)) return undefined
        yield* specs.update({ id }, patch.success).pipe(cannotConflict)
        yield* inTransaction(spec!)
        return spec
      })
    )

  const emitProcessed = ({ organization, id, slug }: OpenApiSpecRow) =>
    events.emit({ type: "openapi_spec_processed", organization, spec: id, slug })

  const bytesOf = ({ source }: OpenApiSpecRow) =>
    "url" in source
      ? Effect.map(fetcher.fetch(source.url, { maxBytes: maxSpecBytes, accept }), ({ bytes }) => bytes).pipe(
          Effect.mapError(({ reason, message }) =>
            sourceFailed(reason === "timeout" ? "FETCH_TIMEOUT" : "FETCH_ERROR", message)
          )
        )
      : Effect.flatMap(blobs.get(source.text), (bytes) =>
          bytes === undefined
            ? Effect.fail(new StorageError({ reason: "failed", message: `Blob ${source.text} is missing` }))
            : Effect.succeed(bytes)
        )

  /**
   * Deletes all but the newest versions. Computed pages use the last version. A PDF that used a deleted version treats
   * the spec as missing.
   */
  const prune = Effect.fnUntraced(function* (spec: OpenApiSpecId) {
    const newest = yield* versions.list({ where: { spec }, descending: true, limit: maxVersions + maxPruned })
    const ids = newest.slice(maxVersions).map(({ id }) => id)
    if (ids.length > 0) yield* versions.remove({ spec, id: { in: ids } })
  })

  /** Stores the source bytes and the parsed document as the last version. */
  const store = Effect.fnUntraced(function* (
    spec: OpenApiSpecRow,
    source: BlobHash,
    bytes: Uint8Array,
    parsed: ParsedSpec
  ) {
    const document = hasher.sha256(parsed.document) as BlobHash
    yield* Effect.yieldNow
    yield* blobs.put(source, bytes)
    yield* Effect.yieldNow
    if (document !== source) yield* blobs.put(document, parsed.document)
    yield* Effect.yieldNow
    const version: OpenApiVersionRow = {
      id: OpenApiVersionId.make(
        spec.lastVersion === undefined ? yield* ids.next : yield* ids.nextAfter(spec.lastVersion)
      ),
      spec: spec.id,
      createdAt: yield* Timestamps.now,
      format: parsed.format,
      openapi: parsed.version,
      ...("url" in spec.source && { sourceURL: spec.source.url }),
      source,
      document
    }
    yield* step(spec.id, { type: "succeed", request: spec.request, version: version.id, parsed }, (now) =>
      versions.insert(version).pipe(cannotConflict, Effect.andThen(prune(spec.id)), Effect.andThen(emitProcessed(now)))
    )
  })

  const run = Effect.fnUntraced(function* (spec: OpenApiSpecRow) {
    const bytes = yield* bytesOf(spec)
    const source = hasher.sha256(bytes) as BlobHash
    yield* Effect.yieldNow
    const last = spec.lastVersion === undefined ? undefined : yield* versions.get({ id: spec.lastVersion })
    if (last?.source === source) {
      yield* step(spec.id, { type: "succeed", request: spec.request, version: last.id }, emitProcessed)
      return
    }
    const readResult = yield* threads
      .run(ReadSpec, bytes)
      .pipe(
        Effect.catchTag("TooCostly", () =>
          sourceFailed("PARSE_ERROR", "It takes more time or memory to read the spec than there is for one")
        )
      )
    if ("problems" in readResult) return yield* new SourceFailed({ code: "PARSE_ERROR", ...readResult.problems })
    yield* store(spec, source, bytes, { ...readResult.parsed, document: readResult.document ?? bytes })
  })

  return Job.handler(ProcessSpec, ({ payload }) =>
    Effect.gen(function* () {
      const id = payload.spec
      const spec = yield* specs.get({ id })
      if (spec === undefined) return
      const { request } = spec
      const specBefore = yield* step(id, { type: "begin", request }, () => Effect.void)
      if (specBefore === undefined) return
      yield* run(specBefore).pipe(
        Effect.catchTag("SourceFailed", ({ code, messages, count }) =>
          step(id, { type: "fail", request, code, problems: { messages, count } }, emitProcessed)
        )
      )
    })
  )
})
