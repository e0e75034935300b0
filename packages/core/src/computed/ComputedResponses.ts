/**
 * Responses of integrations' content sources for a space. A source is called if its state has changed since its last
 * response (see `ContentSources`). Concurrent requests share one call. Responses are stored. If a source fails, its
 * last valid response is used.
 *
 * Limits: a caller waits 10 seconds for a response, 2 if there is an older one; the program continues within its own
 * limits. A failed source is called again after at least 30 seconds. 8 concurrent calls of an integration, 256 in
 * total. A document has at most 2 MiB, pages the limits of `ResponsePages`. Inside a transaction no source is called.
 */
import { Clock, Deferred, Effect, Option, Schema } from "effect"
import * as BatchDocument from "../content/documents/BatchDocument.ts"
import type { DocumentBody } from "../content/edits/ContentChange.ts"
import { unfenced } from "../storage/Fence.ts"
import { LruCache } from "../storage/LruCache.ts"
import { Objects } from "../content/store/Objects.ts"
import { isSmall } from "../content/documents/StoredDocument.ts"
import { type ActiveByKey, type ContentSource, makeContentSources } from "./ContentSources.ts"
import { type RunResponse, RunFailed, textOf } from "../integration/IntegrationRuntime.ts"
import { withParts, ReadJson } from "../schema/JsonBody.ts"
import { JsonText } from "../schema/JsonText.ts"
import * as Text from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { type SpaceRow, SpaceTable } from "../space/Space.ts"
import { Hasher } from "../storage/Hasher.ts"
import type { ObjectHash } from "../storage/ObjectStore.ts"
import { KeyedSemaphore } from "../storage/KeyedSemaphore.ts"
import * as Reads from "../storage/Reads.ts"
import { Slice } from "../storage/Slice.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { CheckPages, maxResponseBytes } from "./ResponsePages.ts"
import { type ResponseKind, type ComputedResponseRow, ComputedResponseTable, maxResponses } from "./ComputedResponse.ts"
import type { IntegrationSource } from "./ComputedSource.ts"

const responseTimeout = "10 seconds"
const refreshTimeout = "2 seconds"
const retryDelay = 30_000
const concurrency = 8
const maxFlights = 256
const maxDocumentBytes = 2 * 1024 * 1024
const maxFailures = 10_000

/** Response of a source, or the reason why it has no response. */
export type ComputedResponse =
  | { readonly state: "ready"; readonly object: ObjectHash; readonly since: ComputedResponseRow["answeredAt"] }
  /** The source failed or cannot be called now, and has never returned a valid response. */
  | { readonly state: "silent" }
  /** The source does not exist, or is not active on the space. */
  | { readonly state: "absent" }

/** Returns the key of a source, equal for equal sources. */
export const keyOf = ({ type, props, dependencies = {} }: IntegrationSource): string =>
  JSON.stringify([type.toLowerCase(), props, dependencies])

interface SourceRequest {
  readonly space: SpaceRow
  readonly kind: ResponseKind
  readonly requestHash: string
}

/** Responses for the sources of one space. The active integrations are read once. */
export interface SpaceResponses {
  /**
   * Returns the current response of each source. Sources without a stored response are called, unless `knownOnly` is
   * set.
   */
  readonly load: (
    kind: ResponseKind,
    sources: ReadonlyArray<IntegrationSource>,
    options?: { readonly knownOnly?: boolean }
  ) => Effect.Effect<ReadonlyArray<ComputedResponse>, StorageError>
  /** Version of the space's responses: changes with every new response. */
  readonly stamp: Effect.Effect<string, StorageError>
}

export const makeComputedResponses = Effect.gen(function* () {
  const storage = yield* Storage
  const hasher = yield* Hasher
  const objects = yield* Objects
  const sources = yield* makeContentSources
  const responseRows = storage.repository(ComputedResponseTable)
  const spaces = storage.repository(SpaceTable)
  const layerScope = yield* Effect.scope
  const flights = new Map<string, Deferred.Deferred<ComputedResponse>>()
  const failures = new LruCache<string, number>(maxFailures)
  /** Limits concurrent calls of each integration. */
  const lock = new KeyedSemaphore({ atOnce: concurrency, maxWaiting: maxFlights })

  const readPages = Effect.fnUntraced(function* (response: RunResponse) {
    const checked = yield* objects.threads.run(CheckPages, yield* textOf(response, maxResponseBytes))
    return "problem" in checked ? yield* invalidResponse(checked.problem) : JSON.stringify(checked.response)
  })

  const readDocument = Effect.fnUntraced(function* ({ bytes }: RunResponse, question: string) {
    const parsedJson = yield* objects.threads.run(ReadJson, yield* bytes(maxDocumentBytes))
    if ("problem" in parsedJson) return yield* invalidResponse(`The response is invalid: ${parsedJson.problem}`)
    const body = bodyOf(withParts(JSON.parse(parsedJson.text), parsedJson.parts))
    if (body === undefined) return yield* invalidResponse("The response contains no document")
    // Keys of blocks are derived from the request, so that equal responses result in equal documents.
    const nextKey = () => question.replace(/[-_]/g, "z").slice(0, 10)
    const { document } = yield* BatchDocument.read(body, "document", { threads: objects.threads, nextKey })
    return isSmall(document) ? JSON.stringify(document) : document.json
  })

  const store = Effect.fnUntraced(function* (
    { space, kind, requestHash: question }: SourceRequest,
    state: string,
    json: string
  ) {
    const draft = objects.draft()
    const object = draft.writeJson(json)
    yield* draft.flushAhead
    const key = { space: space.id, question }
    return yield* storage.transaction(
      Effect.gen(function* () {
        yield* draft.flush
        const existing = yield* responseRows.get(key)
        if (existing?.answer === object) {
          yield* responseRows.update(key, { state }).pipe(cannotConflict)
          return readyOf(existing)
        }
        const row: ComputedResponseRow = { ...key, kind, state, answer: object, answeredAt: yield* Timestamps.now }
        if ((yield* spaces.get({ id: space.id })) === undefined) return readyOf(row)
        if (existing !== undefined) yield* responseRows.remove(key)
        else if ((yield* responseRows.count({ space: space.id })) >= maxResponses) {
          const where = { space: space.id }
          for (const { question } of yield* responseRows.list({ where, order: ["answeredAt"], limit: 1 })) {
            yield* responseRows.remove({ space: space.id, question })
          }
        }
        yield* responseRows.insert(row).pipe(cannotConflict)
        return readyOf(row)
      })
    )
  })

  const call = Effect.fnUntraced(function* (source: ContentSource, request: SourceRequest) {
    const json =
      request.kind === "pages"
        ? yield* sources.call(source, "content_compute_revision", (response) => readPages(response).pipe(asRunFailure))
        : yield* sources.call(source, "content_compute_document", (response) =>
            readDocument(response, request.requestHash).pipe(asRunFailure)
          )
    return yield* store(request, source.state, json)
  })

  /** Calls a source, or joins a call in progress. */
  const joinOrCall = (name: string, source: ContentSource, request: SourceRequest) =>
    Effect.suspend(() => {
      const inFlight = flights.get(name)
      if (inFlight !== undefined) return Effect.succeed(inFlight)
      const pendingResponse = Deferred.makeUnsafe<ComputedResponse>()
      flights.set(name, pendingResponse)
      return lock
        .withPermit(source.setting.integration.key, () => call(source, request))
        .pipe(
          Effect.catchTag("RunFailed", () => Effect.as(noteFailure(name), noResponse)),
          Effect.catchCause((cause) =>
            Effect.as(Effect.logError("Could not call a content source", cause), noResponse)
          ),
          Effect.flatMap((result) => {
            flights.delete(name)
            return Deferred.succeed(pendingResponse, result)
          }),
          unfenced,
          Effect.forkIn(layerScope, { startImmediately: true }),
          Effect.as(pendingResponse)
        )
    })

  const noteFailure = (name: string) =>
    Effect.map(Clock.currentTimeMillis, (now) => failures.set(name, now + retryDelay, 1))

  const answerOf = Effect.fnUntraced(function* (
    source: ContentSource | undefined,
    request: SourceRequest,
    row: ComputedResponseRow | undefined,
    mayCall: boolean
  ) {
    if (source === undefined) return { state: "absent" } as const
    const last = row === undefined ? noResponse : readyOf(row)
    if (row?.state === source.state || !mayCall) return last
    const name = `${request.space.id} ${request.requestHash} ${source.state}`
    if ((failures.get(name) ?? 0) > (yield* Clock.currentTimeMillis)) return last
    if (flights.size >= maxFlights && !flights.has(name)) return last
    const pendingResponse = yield* joinOrCall(name, source, request)
    yield* Reads.readsEverything
    const limit = row === undefined ? responseTimeout : refreshTimeout
    const result = yield* Deferred.await(pendingResponse).pipe(Effect.timeoutOption(limit))
    return Option.isSome(result) && result.value.state === "ready" ? result.value : last
  })

  const answersOf = Effect.fnUntraced(function* (
    space: SpaceRow,
    active: ActiveByKey,
    kind: ResponseKind,
    requestedSources: ReadonlyArray<IntegrationSource>,
    knownOnly: boolean
  ) {
    const contentSources = yield* sources.find(space, active, requestedSources)
    const requestHashes = requestedSources.map((source) => hasher.sha256(`${kind} ${keyOf(source)}`))
    const rows = yield* responseRows.getMany(requestHashes.map((question) => ({ space: space.id, question })))
    const mayCall = !knownOnly && sources.isAvailable && (yield* Slice.start).mayPause
    return yield* Effect.forEach(
      contentSources,
      (source, i) => answerOf(source, { space, kind, requestHash: requestHashes[i]! }, rows[i], mayCall),
      { concurrency: concurrency }
    )
  })

  return {
    forSpace: (space: SpaceRow) =>
      Effect.map(Effect.cached(sources.activeFor(space)), (loadActive): SpaceResponses => ({
        load: (kind, requestedSources, { knownOnly = false } = {}) =>
          requestedSources.length === 0
            ? Effect.succeed([])
            : Effect.flatMap(loadActive, (activeIntegrations) =>
                answersOf(space, activeIntegrations, kind, requestedSources, knownOnly)
              ),
        stamp: Effect.gen(function* () {
          const where = { space: space.id }
          const [newest] = yield* responseRows.list({ where, order: ["answeredAt"], descending: true, limit: 1 })
          return `${yield* responseRows.count(where)} ${newest?.question} ${newest?.answeredAt}`
        })
      }))
  }
})

const noResponse: ComputedResponse = { state: "silent" }

const readyOf = ({ answer, answeredAt }: ComputedResponseRow): ComputedResponse => ({
  state: "ready",
  object: answer,
  since: answeredAt
})

const invalidResponse = (message: string) => new RunFailed({ reason: "unusable", message, logs: [] })

/** Reports an invalid response as a failure of the integration. A full queue of computations stays a storage error. */
const asRunFailure = <A>(
  effect: Effect.Effect<A, RunFailed | BatchDocument.ReadFailure>
): Effect.Effect<A, RunFailed | StorageError> =>
  Effect.mapError(effect, (error) =>
    error._tag === "RunFailed" || error._tag === "StorageError"
      ? error
      : invalidResponse(`The response is invalid: ${error.message}`)
  )

const isMarkdown = Schema.is(Text.atMost(maxDocumentBytes))

/**
 * Returns the document of `{ document }`: Markdown, a document, or an empty one. Also accepts a document in place of `{
 * document }`, which the types of the client library allow.
 */
const bodyOf = (response: unknown): DocumentBody | undefined => {
  const body = fieldOf(response, "document")
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined
  const markdown = fieldOf(body, "markdown")
  if (markdown !== undefined) return isMarkdown(markdown) ? { markdown } : undefined
  const document = body instanceof JsonText ? body : fieldOf(body, "document")
  return document === undefined ? {} : { document }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as { readonly [name: string]: unknown })[name] : undefined
