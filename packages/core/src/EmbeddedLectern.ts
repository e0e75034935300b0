/**
 * Lectern for hosts that do not use Effect: every service with promises instead of effects. Adapters open it with their
 * ports: see `SqliteLectern` in `@lectern/adapter-sqlite` and `MemoryLectern` in `@lectern/adapter-memory`.
 *
 * ```ts
 * const lectern = await SqliteLectern.open({ file: "lectern.db" })
 * const space = await lectern.spaces.create(organization.id, { title: "Handbook" })
 * const shown = await lectern.as(user.id).spaces.get(space.id)
 * await lectern.close()
 * ```
 *
 * Calls are made by the host, which has all permissions, or by the actor of `as`. A failed call rejects with the error
 * that the service declares. `close` waits for running calls; later calls reject with `LecternClosed`. An open instance
 * does not keep the process running, unless the host has handlers or subscriptions.
 */
import { Context, Effect, Exit, Layer, Schedule, Schema, Scheduler, Scope } from "effect"
import { type Actor, CurrentActor, host } from "./access/Actor.ts"
import type { EventOf, EventType } from "./event/Event.ts"
import { EventSubscriptions, type SubscriptionOptions } from "./event/EventSubscriptions.ts"
import { PublicUrl } from "./identity/PublicUrl.ts"
import { type HostEnqueueOptions, HostJobs } from "./job/host/HostJobs.ts"
import type { JobId, JobKind, RunningJob } from "./job/Job.ts"
import { JobHandlers } from "./job/JobHandlers.ts"
import { JobWorker } from "./job/JobWorker.ts"
import * as HostClocks from "./HostClock.ts"
import type { HostClock } from "./HostClock.ts"
import * as HostLoggers from "./HostLogger.ts"
import type { HostLogger } from "./HostLogger.ts"
import type { Extension, ExtensionServices, PromisedExtensions } from "./Extension.ts"
import type { BeforeHooks, HookChanges, HookName, HookRequests } from "./hook/BeforeHooks.ts"
import * as Lectern from "./Lectern.ts"
import type { LecternServices } from "./Lectern.ts"
import { CallOutsideTransaction, type EmbeddedTransaction, reducedInstance } from "./EmbeddedTransaction.ts"
import * as FollowedValue from "./FollowedValue.ts"
import { CurrentFence } from "./storage/Fence.ts"
import { withArrival } from "./storage/LearnedCommits.ts"
import { Storage, type Step, StorageError } from "./storage/Storage.ts"
import { promisedMember, type Run, toServiceInput, type Unbranded, withCaller } from "./Promised.ts"
import { checkOptions, type OptionNames } from "./schema/OptionNames.ts"
import { RunningCalls } from "./RunningCalls.ts"
import { groupServices, mapMethods, type ServiceGroups } from "./ServiceGroups.ts"
import { kindOf, type MethodKind, type Services } from "./Services.ts"
import { unreferencedTimers } from "./time/IdleWait.ts"
import { SitesUrl } from "./site/SiteAddress.ts"
import { fairScheduler } from "./thread/FairScheduler.ts"
import { UserId } from "./user/User.ts"

type Offered = ServiceGroups<typeof Lectern.offered, Exclude<MethodKind, "internal">>

/** Context of a host's handler, in addition to its event or input. */
export interface Handling<X extends Extension = never> {
  /** The instance of the host. It keeps working while the handler runs, even during `close`. */
  readonly lectern: EmbeddedLectern<X>
  /** Aborted when the result is no longer needed: the time for shutdown is over, or another process has taken over. */
  readonly signal: AbortSignal
}

export type EventHandler<Type extends EventType, X extends Extension = never> = (
  event: EventOf<Type>,
  handling: Handling<X>
) => unknown

/** Context of a job handler of the host. */
export interface JobHandling<X extends Extension = never> extends Handling<X> {
  readonly id: JobId
  /** Number of the attempt, starting with 1. */
  readonly attempt: number
}

/** Context of a hook of the host, in addition to its request. */
export interface HookHandling<X extends Extension = never> extends Handling<X> {
  /** Actor of the operation. */
  readonly actor: Actor
}

/** Hooks with promises (see `BeforeHooks`). A hook refuses an operation by throwing `RefusedByHost`. */
export type PromisedHooks<X extends Extension = never> = {
  readonly [Name in HookName]?: (
    request: HookRequests[Name],
    handling: HookHandling<X>
  ) => HookChanges<Name> | void | Promise<HookChanges<Name> | void>
}

export interface Subscription {
  /**
   * Ends the subscription. Resolves when the running handler has ended, or after 10 seconds. A handler must not await
   * it.
   */
  readonly close: () => Promise<void>
}

/** Jobs of the host, with the type of a kind's input in `enqueue`. */
type PromisedJobs = Omit<Offered["jobs"], "enqueue"> & {
  /** Like `HostJobs.enqueue`, with a promise. */
  readonly enqueue: <Input extends Schema.Json>(
    kind: JobKind<Input>,
    input: Input,
    options?: Unbranded<HostEnqueueOptions>
  ) => Promise<JobId>
}

/** An instance of Lectern, with the services of its extensions. */
export type EmbeddedLectern<X extends Extension = never> = Instance<X> & PromisedExtensions<X>

interface Instance<X extends Extension> extends Omit<Offered, "jobs"> {
  /** Jobs of the host's kinds, and information about all jobs (see `HostJobs`). */
  readonly jobs: PromisedJobs
  /**
   * Returns the instance with calls made by another actor, to whose permissions they are limited. Calls of `lectern`
   * itself are made by the host, which has all permissions.
   *
   * @param actor Id of a user, or an actor such as that of a token (`tokens.authenticate`).
   * @example
   * ```ts
   * const asAda = lectern.as(ada.id)
   * const { permissions } = await asAda.spaces.get(space.id)
   * console.log(permissions.edit)
   * ```
   */
  readonly as: (actor: string | Actor) => EmbeddedLectern<X>
  /**
   * Calls the handler with every new event of these types, one at a time in order, until the subscription or this
   * instance is closed. With a `reader`, each event is delivered at least once across restarts, in one process at a
   * time. If the handler throws, the event is delivered again after a pause of 5 seconds to an hour.
   *
   * @param types Types of events, 1 to 1,000.
   * @param handler Receives the event, and `{ lectern, signal }`. Events wait until its promise resolves.
   * @throws {Forbidden} For users.
   * @throws {InvalidInput} For a type that does not exist.
   * @throws {ReaderInUse} If this process has a reader of that name.
   * @throws {TooManyReaders} Above 100 readers.
   * @example
   * ```ts
   * const subscription = await lectern.on(
   *   ["change_request_merged"],
   *   async (event, { lectern }) => {
   *     const { title } = await lectern.spaces.get(event.space)
   *     console.log(`${title} has changed`)
   *   },
   *   { reader: "deployments" }
   * )
   * await subscription.close()
   * ```
   */
  readonly on: <Type extends EventType>(
    types: ReadonlyArray<Type>,
    handler: EventHandler<Type, X>,
    options?: SubscriptionOptions
  ) => Promise<Subscription>
  /**
   * Runs jobs of a kind of the host in this process, until it is closed. `jobs.enqueue` creates jobs. A job whose
   * handler throws is tried again, unless it throws `JobNotRetryable`. Handlers must be idempotent.
   *
   * @param kind Kind from `Job.kind`, which declares the schema of the input and the number of attempts. Default: 10
   * attempts, the second after 5 seconds, with pauses doubled each time up to an hour.
   * @param handler Receives the input, and `{ lectern, id, attempt, signal }`.
   * @throws {Forbidden} For users.
   * @throws {InvalidInput} For a name that is not like "acme/send-digest" or attempts outside of 1 to 100.
   * @throws {KindRegistered} If the kind has a handler or 100 kinds have.
   * @example
   * ```ts
   * import * as Job from "@lectern/core/job/Job"
   * import { Schema } from "effect"
   *
   * const SendDigest = Job.kind("acme/send-digest", Schema.Struct({ user: Schema.String }))
   * await lectern.handle(SendDigest, async ({ user }, { lectern }) => {
   *   const { email } = await lectern.users.get(user)
   *   console.log(email)
   * })
   * await lectern.jobs.enqueue(SendDigest, { user: ada.id })
   * ```
   */
  readonly handle: <Input extends Schema.Json>(
    kind: JobKind<Input>,
    handler: (input: Input, handling: JobHandling<X>) => unknown
  ) => Promise<void>
  /**
   * Runs a function in one transaction: its writes through `tx` are committed together when it resolves, or not at all.
   * `tx` has the methods of services that wait only for the store (`TransactionalMethods`). All other methods reject
   * with `NotInTransaction`, and calls without `tx` with `CallOutsideTransaction`. Other writes wait for the transaction,
   * so the function must not wait for anything slow.
   *
   * @param body Function that calls methods of `tx`.
   * @param options Whether the function may run again (`mayRunAgain`).
   * @returns The result of the function.
   * @throws {StorageError} After 5 seconds, even if the function never ends. The store is then unchanged. An error of the
   * function rejects, too. Over a store that several processes use, the reason is `contended` if another process changed
   * the data that the function read, and with `mayRunAgain` if that happened 10 times.
   * @example
   * ```ts
   * const handbook = await lectern.transaction(async (tx) => {
   *   const { id } = await tx.organizations.create({ title: "Beta" })
   *   return tx.spaces.create(id, { title: "Handbook" })
   * })
   * ```
   */
  readonly transaction: <A>(body: (tx: EmbeddedTransaction) => Promise<A>, options?: TransactionOptions) => Promise<A>
  /**
   * Runs an effect over the services, for operations without a promise. Its scope lasts until `close`.
   *
   * @param effect Effect that needs services of Lectern.
   */
  readonly run: <A, E>(
    effect: Effect.Effect<A, E, LecternServices | ExtensionServices<X> | CurrentActor | Scope.Scope>
  ) => Promise<A>
  /** Closes the instance. Waits for running calls. Later calls reject with `LecternClosed`. */
  readonly close: () => Promise<void>
}

export class LecternClosed extends Schema.TaggedError<LecternClosed>()("LecternClosed", { message: Schema.String }) {}

export interface OpenOptions<X extends Extension = never> extends Omit<Lectern.LecternOptions<X>, "before"> {
  /** Functions that run before operations and may refuse them (see `BeforeHooks`). Default: none. */
  readonly before?: PromisedHooks<X>
  /** Public URL of this instance (see `PublicUrl`). */
  readonly publicUrl?: string
  /** URL below which docs sites are published (see `SitesUrl`). */
  readonly sitesUrl?: string
  /**
   * True to run background jobs in this process (see `JobWorker`), such as permanent removal and search indexes of
   * copies. Default: true. If false, `jobs.worker.runDue` runs due jobs.
   */
  readonly background?: boolean
  /** Receives all log entries (see `HostLogger`). Default: they are printed on the console. */
  readonly logger?: HostLogger
  /** Returns the time in milliseconds since the epoch (see `HostClock`). Default: `Date.now`. */
  readonly clock?: HostClock
}

/** Options of one transaction of a host. */
export interface TransactionOptions {
  /**
   * True if the function may run again, because it has no effect except through `tx`. It runs again if another process
   * changed the data that it read. Default: false. SQLite and memory run each function once.
   */
  readonly mayRunAgain?: boolean
}

const transactionOptionNames: OptionNames<TransactionOptions> = { mayRunAgain: true }

/** Repeats a transaction whose commit was refused, at most 9 times, after a random pause that grows. */
const whileContended = {
  while: (error: unknown) => error instanceof StorageError && error.reason === "contended",
  times: 9,
  schedule: Schedule.jittered(Schedule.exponential("1 millis"))
}

export const openOptionNames: OptionNames<OpenOptions<Extension>> = {
  ...Lectern.lecternOptionNames,
  publicUrl: true,
  sitesUrl: true,
  background: true,
  logger: true,
  clock: true
}

/** Opens Lectern over the ports of an adapter. Rejects with `InvalidInput` for an unknown option. */
export const open = async <E, X extends Extension = never>(
  ports: Layer.Layer<Lectern.Ports, E>,
  options: OpenOptions<X> = {}
): Promise<EmbeddedLectern<X>> => {
  checkOptions(openOptionNames, options)
  const scope = Scope.makeUnsafe()
  const { publicUrl, sitesUrl, background = true, logger, clock, before, ...rest } = options
  const opened = Promise.withResolvers<EmbeddedLectern<X>>()
  const references = Context.mergeAll(
    unreferencedTimers,
    Context.make(Scheduler.Scheduler, fairScheduler),
    logger === undefined ? Context.empty() : HostLoggers.references(logger),
    clock === undefined ? Context.empty() : HostClocks.references(clock)
  )
  const layer = Lectern.layer({ ...rest, ...(before && { before: hooksOf(before, opened.promise) }) }).pipe(
    Layer.provideMerge(ports),
    Layer.provide([
      publicUrl === undefined ? Layer.empty : Layer.succeed(PublicUrl, publicUrl),
      sitesUrl === undefined ? Layer.empty : Layer.succeed(SitesUrl, sitesUrl)
    ])
  )
  const opening = Layer.buildWithScope(layer, scope).pipe(
    Effect.tap((context) => (background ? Context.get(context, JobWorker).start : Effect.void)),
    Effect.provideService(Scope.Scope, scope),
    Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
  )
  const context = await Effect.runPromiseWith(references)(opening)
  const extensionOffers = (options.extensions ?? []).map(({ offered }) => offered)
  const offered = Object.assign({}, Lectern.offered, ...extensionOffers)
  const lectern = embed<X>(Context.merge(Context.add(context, Scope.Scope, scope), references), scope, offered)
  opened.resolve(lectern)
  return lectern
}

/** Converts hooks with promises. A hook that runs during the start waits for the instance. */
const hooksOf = <X extends Extension>(hooks: PromisedHooks<X>, opened: Promise<EmbeddedLectern<X>>): BeforeHooks => {
  const converted = Object.entries(hooks).map(([name, hook]) => [
    name,
    (request: never) =>
      Effect.flatMap(CurrentActor, (actor) =>
        handled(async (signal) =>
          (hook as (request: never, handling: HookHandling<X>) => unknown)(request, {
            lectern: await opened,
            actor,
            signal
          })
        )
      )
  ])
  return Object.fromEntries(converted) as BeforeHooks
}

const embed = <X extends Extension>(
  context: Context.Context<LecternServices | ExtensionServices<X> | Scope.Scope>,
  scope: Scope.Closeable,
  offered: Services["offered"]
): EmbeddedLectern<X> => {
  type RunAll = Run<LecternServices | ExtensionServices<X> | CurrentActor | Scope.Scope>
  const { arrival } = Context.get(context, Storage)
  const running = new RunningCalls()
  const subscriptions = new Set<Subscription>()
  const transactions = FollowedValue.make<{ isOpen: boolean }>()
  let closed: Promise<void> | undefined

  const publicMethods = groupServices(
    Object.entries(offered).map(([path, offer]) => {
      const service = Context.get(context, offer.service as unknown as Context.Key<never, object>)
      const isPublic = ([method]: [string, unknown]) => kindOf(offer, method) !== "internal"
      return [path, Object.fromEntries(Object.entries(service).filter(isPublic))] as const
    })
  )

  const runIn =
    (services: typeof context) =>
    (actor: Actor): RunAll =>
    (effect) =>
      Effect.runPromiseWith(Context.add(services, CurrentActor, actor))(effect)
  const runAs = runIn(context)

  /** Runs a host's handler with an instance whose writes check the fence of the handler's lease. */
  const handledFenced = (handler: (handling: Handling<X>) => unknown): Effect.Effect<unknown, unknown> =>
    Effect.flatMap(CurrentFence, (fence) => {
      const lectern = as(host, runIn(Context.add(context, CurrentFence, fence)))
      return handled((signal) => handler({ lectern, signal }))
    })

  /** Rejects calls after `close`, which waits for earlier ones. */
  const whileOpen =
    (run: RunAll): RunAll =>
    (effect) => {
      if (running.isClosed) return Promise.reject(new LecternClosed({ message: "This Lectern is closed" }))
      if (transactions.get()?.isOpen === true) {
        const message = "The function of a transaction called the instance: call the methods of its argument instead"
        return Promise.reject(new CallOutsideTransaction({ message }))
      }
      return running.add(run(effect))
    }

  const close = async () => {
    await Promise.allSettled([running.close(), ...[...subscriptions].map((subscription) => subscription.close())])
    await Effect.runPromiseWith(context)(Scope.close(scope, Exit.void))
  }

  const as = (actor: Actor, runs: (actor: Actor) => RunAll): EmbeddedLectern<X> => {
    const run = runs(actor)
    const call: RunAll = (effect) => run(withArrival(effect, arrival()))
    const services = mapMethods(publicMethods, (method, service, name) =>
      promisedMember(`${service}.${name}`, method, call)
    ) as Offered
    const enqueue: PromisedJobs["enqueue"] = (kind, input, options) =>
      withCaller(
        run(
          Effect.flatMap(HostJobs, (jobs) => jobs.enqueue(kind, input, toServiceInput(options) as HostEnqueueOptions))
        ),
        "jobs.enqueue",
        enqueue
      )
    const instance: Instance<X> = {
      ...services,
      jobs: { ...services.jobs, enqueue },
      as: (other) => as(typeof other === "string" ? { type: "user", user: UserId.make(other) } : other, runs),
      on: async (types, handler, options) => {
        const handle = (event: EventOf<(typeof types)[number]>) => handledFenced((handling) => handler(event, handling))
        const subscription = await run(subscribed(types, handle, options))
        subscriptions.add(subscription)
        return {
          close: () => {
            subscriptions.delete(subscription)
            return subscription.close()
          }
        }
      },
      handle: (kind, handler) => {
        const handle = ({ id, payload, attempt }: RunningJob<(typeof kind)["payload"]["Type"]>) =>
          Effect.asVoid(handledFenced((handling) => handler(payload, { ...handling, id, attempt })))
        return run(Effect.flatMap(JobHandlers, (handlers) => handlers.handle(kind, handle)))
      },
      transaction: async (body, options = {}) => {
        checkOptions(transactionOptionNames, options)
        const transaction = { isOpen: true }
        const tx = (step: Step) => reducedInstance(as(actor, (by) => (effect) => runAs(by)(step(effect))))
        const attempt = Effect.flatMap(Storage, (storage) =>
          storage.inSteps((step) => handled(() => transactions.run(transaction, () => body(tx(step)))))
        )
        try {
          return (await run(options.mayRunAgain === true ? Effect.retry(attempt, whileContended) : attempt)) as Awaited<
            ReturnType<typeof body>
          >
        } finally {
          transaction.isOpen = false
        }
      },
      run,
      close: () => (closed ??= close())
    }
    return instance as EmbeddedLectern<X>
  }

  return as(host, (actor) => whileOpen(runAs(actor)))
}

/** Runs a host's handler, which may return a promise, a value or nothing. */
const handled = (handler: (signal: AbortSignal) => unknown): Effect.Effect<unknown, unknown> =>
  Effect.tryPromise({ try: async (signal) => handler(signal), catch: (error) => error })

/** Opens a subscription that ends with the scope or when it is closed. */
const subscribed = Effect.fnUntraced(function* <Type extends EventType>(
  types: ReadonlyArray<Type>,
  handler: (event: EventOf<Type>) => Effect.Effect<unknown, unknown>,
  options: SubscriptionOptions | undefined
) {
  const { on } = yield* EventSubscriptions
  const scope = yield* Scope.fork(yield* Scope.Scope)
  yield* on(types, handler, options).pipe(
    Effect.provideService(Scope.Scope, scope),
    Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
  )
  const context = yield* Effect.context<never>()
  let closing: Promise<void> | undefined
  const close = () => (closing ??= Effect.runPromiseWith(context)(Scope.close(scope, Exit.void)))
  return { close } satisfies Subscription
})
