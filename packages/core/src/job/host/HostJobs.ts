/**
 * Jobs of the host application's own kinds (see `JobHandlers`), and inspection of all background work: jobs, readers of
 * events, deliveries to integrations and webhooks, and mails. For the host only.
 *
 * Limits: a payload of 64 KiB of JSON; a key of 1 to 200 characters; lists of 1,000.
 */
import { Context, Effect, Schema, Layer } from "effect"
import type { CurrentActor } from "../../access/Actor.ts"
import type { Forbidden } from "../../access/Forbidden.ts"
import { EventReaderTable, hostReader } from "../../event/EventReader.ts"
import { makeReaderList, readerPrefix } from "../../event/ReaderList.ts"
import { eventPrefix, makeDeliveryList, receiverPrefix } from "../../integration/DeliveryList.ts"
import { mailPrefix, makeMailWork } from "../../mail/MailWork.ts"
import { makeWebhookWork, webhookPrefix } from "../../webhook/WebhookWork.ts"
import { requireHost } from "../../access/HostOnly.ts"
import { accepting, InvalidInput } from "../../schema/Input.ts"
import { between, type Timestamp } from "../../schema/Text.ts"
import { InputTime, millisOf } from "../../schema/InputTime.ts"
import * as Timestamps from "../../schema/Timestamps.ts"
import { Storage, type StorageError } from "../../storage/Storage.ts"
import { JobId, type JobKind, JobStatus } from "../Job.ts"
import { HostKindName } from "../JobHandlers.ts"
import { type JobFilter, Jobs } from "../Jobs.ts"
import { deliveryKind, jobItem, mailKind, readerKind, webhookKind, type WorkItem, type WorkList } from "../WorkItem.ts"

const maxPayload = 64 * 1024

export interface HostEnqueueOptions {
  /** Earliest start. Default: now. */
  readonly runAt?: InputTime
  /**
   * Deduplication key, 1 to 200 characters. While a job of the kind with this key waits, no other is created. If it
   * runs, it runs once more. Jobs with one key must have equal input.
   */
  readonly key?: string
}

const acceptOptions = accepting(
  Schema.Struct({
    kind: HostKindName,
    runAt: Schema.optionalKey(InputTime),
    key: Schema.optionalKey(between(1, 200))
  })
)

const acceptFilter = accepting(
  Schema.Struct({
    status: JobStatus,
    kind: Schema.optionalKey(between(1, 200)),
    limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 })))
  })
)

export class HostJobs extends Context.Service<
  HostJobs,
  {
    /**
     * Enqueues a job of one of the host's kinds, for any process that handles the kind. Returns the id of the job, or
     * of the waiting job with the same key. Inside a transaction, the job exists only after the commit.
     *
     * @param kind Kind of the job, from `Job.kind`.
     * @param input Input of the job, which matches the schema of the kind. At most 64 KiB as JSON.
     * @throws {Forbidden} For users.
     * @throws {InvalidInput} If the input does not match the kind's schema or exceeds 64 KiB, and for kinds of the
     * core.
     */
    readonly enqueue: <P extends Schema.Json>(
      kind: JobKind<P>,
      input: P,
      options?: HostEnqueueOptions
    ) => Effect.Effect<JobId, Forbidden | InvalidInput | StorageError, CurrentActor>
    /**
     * Returns a job of any kind, or other work, by its `id`. Undefined if it does not exist; finished jobs are removed
     * after 7 days, failed ones after 30, deliveries after 7, and mails after 30.
     *
     * @param id Id of the job or the other work.
     * @throws {Forbidden} For users.
     */
    readonly get: (id: string) => Effect.Effect<WorkItem | undefined, Forbidden | StorageError, CurrentActor>
    /**
     * Lists background work with a status: jobs, most recently changed first; readers of events; receivers with queued
     * events; failed deliveries, newest first; webhooks with events to deliver; mails, most recently changed first.
     *
     * @throws {Forbidden} For users.
     * @throws {InvalidInput}
     * @example
     * ```ts
     * for (const work of await lectern.jobs.list({ status: "failed" })) await lectern.jobs.retry(work.id)
     * ```
     */
    readonly list: (
      filter: JobFilter
    ) => Effect.Effect<ReadonlyArray<WorkItem>, Forbidden | InvalidInput | StorageError, CurrentActor>
    /**
     * Makes failed work due now: a failed job or mail with all its attempts, a failed delivery, or a reader, receiver,
     * webhook or mail that waits after a failure. Returns false if the work does not exist or has not failed, if another
     * unfinished job has the key of the job, or if the queue of the receiver is full.
     *
     * @param id Id of the job or the other work.
     * @throws {Forbidden} For users.
     */
    readonly retry: (id: string) => Effect.Effect<boolean, Forbidden | StorageError, CurrentActor>
    /**
     * Removes a durable reader of events by its name, and returns true if it existed. The next subscription with the
     * name starts at new events. A running subscription continues.
     *
     * @param reader Name of the reader.
     * @throws {Forbidden} For users.
     */
    readonly removeReader: (reader: string) => Effect.Effect<boolean, Forbidden | StorageError, CurrentActor>
  }
>()("@lectern/core/job/host/HostJobs") {
  static readonly layer = Layer.effect(
    HostJobs,
    Effect.gen(function* () {
      const storage = yield* Storage
      const jobs = yield* Jobs
      const readers = yield* makeReaderList
      const deliveries = yield* makeDeliveryList
      const webhooks = yield* makeWebhookWork
      const mails = yield* makeMailWork
      const requireHostActor = requireHost("manage background work")

      const otherLists = new Map([
        [readerKind, readers],
        [deliveryKind, deliveries],
        [webhookKind, webhooks],
        [mailKind, mails]
      ])

      const jobsOf = (kind?: string): WorkList => ({
        list: (status, limit) =>
          Effect.map(jobs.list({ status, limit, ...(kind !== undefined && { kind }) }), (rows) => rows.map(jobItem)),
        get: (id) => Effect.map(jobs.get(JobId.make(id)), (row) => row && jobItem(row)),
        retry: (id) => jobs.retry(JobId.make(id))
      })

      /** Returns the list that an id belongs to. */
      const listOf = (id: string): WorkList => {
        if (id.startsWith(readerPrefix)) return readers
        if (id.startsWith(webhookPrefix)) return webhooks
        if (id.startsWith(mailPrefix)) return mails
        return id.startsWith(receiverPrefix) || id.startsWith(eventPrefix) ? deliveries : jobsOf()
      }

      return HostJobs.of({
        enqueue: Effect.fn("HostJobs.enqueue")(function* (kind, input, options = {}) {
          yield* requireHostActor
          const { runAt, key } = yield* acceptOptions({ kind: kind.name, ...options })
          const payload = yield* accepting(Schema.toType(kind.payload))(input)
          yield* checkPayload(payload)
          return yield* jobs.enqueue(kind, payload, {
            ...(runAt !== undefined && { runAt: Timestamps.at(millisOf(runAt)) as Timestamp }),
            ...(key !== undefined && { key })
          })
        }),

        get: (id) => Effect.andThen(requireHostActor, listOf(id).get(id)),

        list: Effect.fn("HostJobs.list")(function* (filter) {
          yield* requireHostActor
          const { kind, status, limit = 100 } = yield* acceptFilter(filter)
          const lists =
            kind === undefined
              ? [jobsOf(), readers, deliveries, webhooks, mails]
              : [otherLists.get(kind) ?? jobsOf(kind)]
          return (yield* Effect.forEach(lists, (work) => work.list(status, limit))).flat()
        }),

        retry: (id) => Effect.andThen(requireHostActor, listOf(id).retry(id)),

        removeReader: (reader) =>
          Effect.andThen(
            requireHostActor,
            Effect.map(
              storage.repository(EventReaderTable).remove({ reader: hostReader(reader) }),
              (count) => count > 0
            )
          )
      })
    })
  )
}

/** Rejects a payload that is not JSON or exceeds the limit. */
const checkPayload = (payload: unknown): Effect.Effect<void, InvalidInput> =>
  Effect.suspend(() => {
    const refuse = (message: string) => Effect.fail(new InvalidInput({ issues: [{ path: "input", message }] }))
    if (!Schema.is(Schema.Json)(payload)) return refuse("Expected plain JSON")
    return JSON.stringify(payload).length > maxPayload ? refuse("Expected at most 64 KiB of JSON") : Effect.void
  })
