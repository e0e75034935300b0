/**
 * Runs programs with events, and keeps a record of each with what it logged. Events that are answered
 * in place are recorded in groups, a moment later (see `IntegrationRecords`).
 *
 * Limit: payloads of 1 MiB in all that were sealed last are known without being opened.
 */
import { Context, Effect, type Scope, Stream } from "effect"
import { Ids } from "../identity/Ids.ts"
import { Secrets } from "../identity/Secrets.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { BlobStore } from "../storage/BlobStore.ts"
import { Lru } from "../storage/Lru.ts"
import { cannotConflict, Storage, StorageError } from "../storage/Storage.ts"
import { type IntegrationRow, IntegrationTable } from "./Integration.ts"
import { IntegrationEnvironments, type Setting } from "./IntegrationEnvironments.ts"
import {
  IntegrationEventId,
  type IntegrationEventRow,
  IntegrationEventTable,
  type IntegrationPayload
} from "./IntegrationEvent.ts"
import { IntegrationRecords } from "./IntegrationRecords.ts"
import { IntegrationRuntime, type Program, type RunAnswer, RunFailed, type RunTrace } from "./IntegrationRuntime.ts"
import type { RunLog } from "./RunLog.ts"
import { wired } from "../wiring/Wired.ts"

const knownPayloads = 1024 * 1024

interface Recorded {
  readonly setting: Setting
  readonly id: IntegrationEventId
  readonly receiver: string
  readonly payload: IntegrationPayload
  readonly state: IntegrationEventRow["state"]
  readonly logs?: ReadonlyArray<RunLog>
}

/** Log of a failed run, with the reason of the failure as its last line. */
export const logsOf = Effect.fnUntraced(function* ({ message, logs }: RunFailed) {
  const last: RunLog = { level: "error", message, timestamp: yield* Timestamps.now }
  return [...logs, last]
})

export class IntegrationRuns extends Context.Service<
  IntegrationRuns,
  {
    /** True where anything runs at all. */
    readonly isThere: boolean
    /**
     * Gives a program an event that is answered in place, and records it once the scope ends: its body has been read.
     * Where more is answered than can be written down, who asks waits for that.
     */
    readonly ask: (
      setting: Setting,
      payload: IntegrationPayload,
      body?: Uint8Array
    ) => Effect.Effect<RunAnswer, RunFailed | StorageError, Scope.Scope>
    /** The same, for what can be read of the answer: one of which nothing can is recorded as failed, with why. */
    readonly askFor: <A, E>(
      setting: Setting,
      payload: IntegrationPayload,
      read: (answer: RunAnswer) => Effect.Effect<A, RunFailed | E>
    ) => Effect.Effect<A, RunFailed | StorageError | E>
    /** Gives a program an event that was queued, and tells what it logged; whatever it answered. */
    readonly deliver: (
      setting: Setting,
      id: IntegrationEventId,
      payload: IntegrationPayload
    ) => Effect.Effect<RunTrace & { readonly status: number }, RunFailed | StorageError>
    /** A record of an event that waits, to be inserted: in whose order it is delivered, and as which. */
    readonly record: (
      setting: Setting,
      receiver: string,
      id: IntegrationEventId,
      payload: IntegrationPayload
    ) => Effect.Effect<IntegrationEventRow>
    /** Payload of a record. What is delivered was mostly sealed here a moment ago. */
    readonly payload: (row: IntegrationEventRow) => Effect.Effect<IntegrationPayload, StorageError>
    /** Outcome of an event, for its record. */
    readonly outcome: (
      id: IntegrationEventId,
      state: IntegrationEventRow["state"],
      logs: ReadonlyArray<RunLog>
    ) => Effect.Effect<Pick<IntegrationEventRow, "state" | "logs">>
  }
>()("@lectern/core/integration/IntegrationRuns") {
  static readonly layer = wired(
    IntegrationRuns,
    Effect.gen(function* () {
      const storage = yield* Storage
      const blobs = yield* BlobStore
      const ids = yield* Ids
      const secrets = yield* Secrets
      const environments = yield* IntegrationEnvironments
      const runtime = yield* IntegrationRuntime
      const written = yield* IntegrationRecords
      const records = storage.repository(IntegrationEventTable)
      const integrations = storage.repository(IntegrationTable)
      const layerScope = yield* Effect.scope
      const sealed = new Lru<IntegrationEventId, { readonly as: string; readonly payload: IntegrationPayload }>(
        knownPayloads
      )

      const scriptOf = Effect.fnUntraced(function* ({ script }: IntegrationRow) {
        const bytes = yield* blobs.get(script)
        if (bytes === undefined) return yield* new StorageError({ reason: "failed", message: "A script is missing" })
        return new TextDecoder().decode(bytes)
      })

      /** The program to run: the published one, or its developer's while that lasts. */
      const programOf = Effect.fnUntraced(function* ({ integration, installation }: Setting) {
        const { development, organization } = integration
        const isDeveloped =
          development !== undefined &&
          development.endsAt > (yield* Timestamps.now) &&
          (development.all || installation === undefined || installation.organization === organization)
        const tunnelUrl = isDeveloped ? yield* secrets.open(IntegrationTable, integration, "tunnelUrl") : undefined
        const program: Program = {
          integration: integration.key,
          version: integration.version,
          runtime: integration.runtime,
          script: scriptOf(integration),
          ...(tunnelUrl !== undefined && { tunnelUrl })
        }
        return program
      })

      /** Ends development whose tunnel is gone, unless another has begun meanwhile: what is published hears the rest. */
      const endDevelopment = ({ key, tunnelUrl }: IntegrationRow) =>
        storage.transaction(
          Effect.gen(function* () {
            if ((yield* integrations.get({ key }))?.tunnelUrl !== tunnelUrl) return
            yield* integrations.update({ key }, { development: undefined, tunnelUrl: undefined }).pipe(cannotConflict)
          })
        )

      const run = Effect.fnUntraced(function* (
        setting: Setting,
        id: IntegrationEventId,
        payload: IntegrationPayload,
        body?: Uint8Array
      ) {
        const program = yield* programOf(setting)
        const environment = yield* environments.make(setting)
        const event = JSON.stringify({ eventId: id, ...payload })
        const isGone = (error: RunFailed | StorageError) =>
          program.tunnelUrl !== undefined && error._tag === "RunFailed" && error.reason === "unreachable"
        return yield* runtime
          .run(program, { event, environment, ...(body && { body }) })
          .pipe(Effect.tapError((error) => (isGone(error) ? endDevelopment(setting.integration) : Effect.void)))
      })

      const outcome = Effect.fnUntraced(function* (
        id: IntegrationEventId,
        state: IntegrationEventRow["state"],
        logs: ReadonlyArray<RunLog>
      ) {
        return {
          state,
          ...(logs.length > 0 && { logs: yield* secrets.seal(IntegrationEventTable, { id }, "logs", logs) })
        }
      })

      const recordOf = Effect.fnUntraced(function* ({
        setting: { integration, installation, about },
        id,
        receiver,
        payload,
        state,
        logs = []
      }: Recorded) {
        const key = { id }
        const row: IntegrationEventRow = {
          id,
          integration: integration.key,
          ...(installation && { organization: installation.organization, installation: installation.id }),
          payload: yield* secrets.seal(IntegrationEventTable, key, "payload", payload),
          receiver,
          ...(about && { about }),
          ...(yield* outcome(id, state, logs)),
          createdAt: yield* Timestamps.now
        }
        return row
      })

      /** Gives a program an event; `done` records it once all is logged, with why nothing can be read of its answer. */
      const begin = Effect.fnUntraced(function* (setting: Setting, payload: IntegrationPayload, body?: Uint8Array) {
        const id = IntegrationEventId.make(yield* ids.next)
        const record = (state: IntegrationEventRow["state"], logs: ReadonlyArray<RunLog>) =>
          Effect.flatMap(recordOf({ setting, id, receiver: setting.integration.key, payload, state, logs }), (row) =>
            written.later(records.insert(row).pipe(cannotConflict))
          )
        const answer = yield* run(setting, id, payload, body).pipe(
          Effect.tapError((error) =>
            error._tag === "RunFailed" ? Effect.flatMap(logsOf(error), (logs) => record("failed", logs)) : Effect.void
          )
        )
        const finish = (failure: RunFailed | undefined) =>
          Effect.gen(function* () {
            const { logs, overstepped } = yield* answer.trace
            const why = failure === undefined ? [] : yield* logsOf(failure)
            const hasFailed = failure !== undefined || overstepped || answer.status >= 500
            yield* record(hasFailed ? "failed" : "success", why.length === 0 ? logs : [...logs, ...why])
          })
        const done = (failure: RunFailed | undefined) =>
          answer.isDone ? finish(failure) : Effect.forkIn(finish(failure), layerScope, { startImmediately: true })
        return { answer, done }
      })

      return IntegrationRuns.of({
        isThere: runtime.isThere,
        outcome,

        record: (setting, receiver, id, payload) =>
          Effect.tap(recordOf({ setting, receiver, id, payload, state: "queued" }), (row) =>
            Effect.sync(() => sealed.set(id, { as: row.payload, payload }, row.payload.length))
          ),

        payload: (row) => {
          const known = sealed.get(row.id)
          return known?.as === row.payload
            ? Effect.succeed(known.payload)
            : secrets.open(IntegrationEventTable, row, "payload")
        },

        ask: Effect.fnUntraced(function* (setting, payload, body) {
          const { answer, done } = yield* begin(setting, payload, body)
          let failure: RunFailed | undefined
          yield* Effect.addFinalizer(() => Effect.suspend(() => done(failure)))
          const note = (error: RunFailed) => Effect.sync(() => void (failure = error))
          return {
            ...answer,
            body: Stream.tapError(answer.body, note),
            bytes: (maxBytes) => Effect.tapError(answer.bytes(maxBytes), note)
          }
        }),

        askFor: (setting, payload, read) =>
          Effect.scoped(
            Effect.gen(function* () {
              const { answer, done } = yield* begin(setting, payload)
              const value = yield* read(answer).pipe(
                Effect.tapError((error) => (error instanceof RunFailed ? done(error) : Effect.void))
              )
              yield* done(undefined)
              return value
            })
          ),

        deliver: (setting, id, payload) =>
          Effect.scoped(
            Effect.gen(function* () {
              const { status, trace } = yield* run(setting, id, payload)
              return { status, ...(yield* trace) }
            })
          )
      })
    }),
    [IntegrationEnvironments.layer, IntegrationRecords.layer, Secrets.layer]
  )
}
