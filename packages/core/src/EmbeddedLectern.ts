/**
 * Lectern for hosts that do not use Effect: every service with promises in place of effects.
 * Adapters open it with what they need: see `SqliteLectern` in `@lectern/adapter-sqlite` and
 * `MemoryLectern` in `@lectern/adapter-memory`.
 *
 * ```ts
 * const lectern = await SqliteLectern.open({ file: "lectern.db" })
 * const space = await lectern.spaces.create(organization.id, { title: "Handbook" })
 * const shown = await lectern.as(user.id).spaces.get(space.id)
 * await lectern.close()
 * ```
 *
 * The host itself asks, and may do everything, until `as` says who does. A call that fails rejects
 * with the error that the service names. `close` waits for the calls that run; later ones reject
 * with `LecternClosed`. One that is not closed keeps no process from ending, unless the host has handlers or
 * subscriptions: then the process may be there for those alone.
 */
import { Context, Effect, Exit, Layer, Schema, Scheduler, Scope } from "effect"
import { type Actor, CurrentActor, host } from "./access/Actor.ts"
import type { EventOf, EventType } from "./event/Event.ts"
import { EventSubscriptions, type SubscriptionOptions } from "./event/EventSubscriptions.ts"
import { PublicUrl } from "./identity/PublicUrl.ts"
import { type HostEnqueueOptions, HostJobs } from "./job/HostJobs.ts"
import type { JobId, JobKind, RunningJob } from "./job/Job.ts"
import { JobHandlers } from "./job/JobHandlers.ts"
import { JobWorker } from "./job/JobWorker.ts"
import * as HostClocks from "./HostClock.ts"
import type { HostClock } from "./HostClock.ts"
import * as HostLoggers from "./HostLogger.ts"
import type { HostLogger } from "./HostLogger.ts"
import * as Lectern from "./Lectern.ts"
import { type EmbeddedTransaction, reduced } from "./EmbeddedTransaction.ts"
import { Storage } from "./storage/Storage.ts"
import { type Promised, promised, type Run } from "./Promised.ts"
import { RunningCalls } from "./RunningCalls.ts"
import { unheld } from "./moment/IdleWait.ts"
import { SitesUrl } from "./site/SiteAddress.ts"
import { fairScheduler } from "./thread/FairScheduler.ts"
import { UserId } from "./user/User.ts"

type Offered = {
  readonly [Name in keyof typeof Lectern.offered]: Promised<
    Context.Service.Shape<(typeof Lectern.offered)[Name]["service"]>
  >
}

/** Ports that an adapter provides. */
type Ports = Layer.Services<ReturnType<typeof Lectern.layer>>

/** Services that the effects of a host may need: every service and every port. */
export type LecternServices = Layer.Success<ReturnType<typeof Lectern.layer>> | Ports

/** Context of a host's handler, beside its event or input. */
export interface Handling {
  /** The same instance as the host; it goes on to answer while the handler runs, even when Lectern is being closed. */
  readonly lectern: EmbeddedLectern
  /** Aborted when nobody waits for the handler any more: its time at shutdown is over, or another process has taken over. */
  readonly signal: AbortSignal
}

export type EventHandler<Type extends EventType> = (event: EventOf<Type>, handling: Handling) => unknown

/** A job of the host's as its handler sees it. */
export interface JobHandling extends Handling {
  readonly id: JobId
  /** Counts from 1. */
  readonly attempt: number
}

export interface Subscription {
  /** Ends the subscription; resolves when the handler that runs has ended, or after 10 seconds. Not to be awaited by the handler itself. */
  readonly close: () => Promise<void>
}

/** The host's jobs: to enqueue one keeps the type of its kind. */
type PromisedJobs = Omit<Offered["jobs"], "enqueue"> & {
  /** As `HostJobs.enqueue`, with a promise. */
  readonly enqueue: <Input extends Schema.Json>(
    kind: JobKind<Input>,
    input: Input,
    options?: HostEnqueueOptions
  ) => Promise<JobId>
}

export interface EmbeddedLectern extends Omit<Offered, "jobs" | "linkChecks"> {
  /** The broken links to other websites (see `LinkChecks`); what has no actor stays inside. */
  readonly linkChecks: Pick<Offered["linkChecks"], "list">
  /** The jobs of the host's own kinds, and a look at all there are (see `HostJobs`). */
  readonly jobs: PromisedJobs
  /** The same instance as a user sees it, or as whoever a token stands for (`tokens.authenticate`). */
  readonly as: (actor: string | Actor) => EmbeddedLectern
  /**
   * Hands every event of these types that happens from now on to the handler, one after another in
   * their order, until the subscription or this instance is closed. With a `reader`, at least once
   * whatever becomes of the process, and by one process at a time (see `EventSubscriptions`). A
   * handler that throws gets the event again after a pause, from 5 seconds to an hour.
   *
   * Rejects with `Forbidden` for users, `InvalidInput` for a type that does not exist, `ReaderTaken`
   * where this process reads by that name already, and `TooManyReaders` beyond 100.
   */
  readonly on: <Type extends EventType>(
    types: ReadonlyArray<Type>,
    handler: EventHandler<Type>,
    options?: SubscriptionOptions
  ) => Promise<Subscription>
  /**
   * Runs the jobs of a kind of the host's own in this process, until it is closed: `jobs.enqueue`
   * makes them, `Job.kind` declares the schema of their input and how often they are tried (10 times,
   * the second after 5 seconds, then twice as long each time, at most an hour). A handler that throws
   * has failed; where it throws `JobHopeless`, it is not tried again. It must bear being repeated.
   *
   * Rejects with `Forbidden` for users, `InvalidInput` for a name that is not like "acme/send-digest"
   * or attempts that are not 1 to 100, and `KindTaken` where the kind has a handler, or 100 have.
   */
  readonly handle: <Input extends Schema.Json>(
    kind: JobKind<Input>,
    handler: (input: Input, handling: JobHandling) => unknown
  ) => Promise<void>
  /**
   * Runs the function as one unit: what it writes with `tx` is there when this resolves, all of it or
   * nothing. `tx` has the short methods of the services (see `EmbeddedTransaction`); a call of any
   * other rejects with `NotInTransaction`. Other writes wait meanwhile, so wait for nothing slow in it.
   *
   * Rejects with what the function throws, and with `StorageError` after 5 seconds, even where the
   * function never ends: then nothing was written.
   */
  readonly transaction: <A>(body: (tx: EmbeddedTransaction) => Promise<A>) => Promise<A>
  /** Runs an effect over the services, for what has no promise of its own. Its scope lasts until `close`. */
  readonly run: Run<LecternServices | CurrentActor | Scope.Scope>
  readonly close: () => Promise<void>
}

export class LecternClosed extends Schema.TaggedError<LecternClosed>()("LecternClosed", { message: Schema.String }) {}

export interface OpenOptions extends Lectern.LecternOptions {
  /** URL of this instance from outside (see `PublicUrl`). */
  readonly publicUrl?: string
  /** URL below which docs sites are published (see `SitesUrl`). */
  readonly sitesUrl?: string
  /**
   * Lets this process do the work that nobody waits for (see `JobWorker`): permanent removal, the search index
   * of copies. Default: true. Where it is false, `jobWorker.runDue` does the due work.
   */
  readonly background?: boolean
  /** Takes all that is logged (see `HostLogger`). Default: it is printed on the console. */
  readonly logger?: HostLogger
  /** Tells the time, in milliseconds since 1970 (see `HostClock`). Default: `Date.now`. */
  readonly clock?: HostClock
}

/** Opens Lectern over the ports of an adapter. */
export const open = async <E>(ports: Layer.Layer<Ports, E>, options: OpenOptions = {}): Promise<EmbeddedLectern> => {
  const scope = Scope.makeUnsafe()
  const { publicUrl, sitesUrl, background = true, logger, clock, ...rest } = options
  const around = Context.mergeAll(
    unheld,
    Context.make(Scheduler.Scheduler, fairScheduler),
    logger === undefined ? Context.empty() : HostLoggers.references(logger),
    clock === undefined ? Context.empty() : HostClocks.references(clock)
  )
  const layer = Lectern.layer(rest).pipe(
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
  const context = await Effect.runPromiseWith(around)(opening)
  return embed(Context.merge(Context.add(context, Scope.Scope, scope), around), scope)
}

type RunAll = Run<LecternServices | CurrentActor | Scope.Scope>

const embed = (context: Context.Context<LecternServices | Scope.Scope>, scope: Scope.Closeable): EmbeddedLectern => {
  const running = new RunningCalls()
  const subscriptions = new Set<Subscription>()
  let closed: Promise<void> | undefined

  const runAs =
    (actor: Actor): RunAll =>
    (effect) =>
      Effect.runPromiseWith(Context.add(context, CurrentActor, actor))(effect)

  /** Takes no more calls once it is closed, and is waited for before. */
  const whileOpen =
    (run: RunAll): RunAll =>
    (effect) => {
      if (running.isClosed) return Promise.reject(new LecternClosed({ message: "This Lectern is closed" }))
      return running.add(run(effect))
    }

  const close = async () => {
    await Promise.allSettled([running.close(), ...[...subscriptions].map((subscription) => subscription.close())])
    await Effect.runPromiseWith(context)(Scope.close(scope, Exit.void))
  }

  const as = (actor: Actor, runs: (actor: Actor) => RunAll): EmbeddedLectern => {
    const run = runs(actor)
    const services = Object.fromEntries(
      Object.entries(Lectern.offered).map(([name, { service }]) => [
        name,
        promised(Context.get(context, service as unknown as Context.Key<never, object>), run)
      ])
    ) as unknown as Offered
    return {
      ...services,
      linkChecks: { list: services.linkChecks.list },
      jobs: {
        ...services.jobs,
        enqueue: (kind, input, options) => run(Effect.flatMap(HostJobs, (jobs) => jobs.enqueue(kind, input, options)))
      },
      as: (other) => as(typeof other === "string" ? { type: "user", user: UserId.make(other) } : other, runs),
      on: async (types, handler, options) => {
        const lectern = as(host, runAs)
        const handle = (event: EventOf<(typeof types)[number]>) =>
          handled((signal) => handler(event, { lectern, signal }))
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
        const lectern = as(host, runAs)
        const handle = ({ id, payload, attempt }: RunningJob<(typeof kind)["payload"]["Type"]>) =>
          Effect.asVoid(handled((signal) => handler(payload, { lectern, signal, id, attempt })))
        return run(Effect.flatMap(JobHandlers, (handlers) => handlers.handle(kind, handle)))
      },
      transaction: (body) =>
        run(
          Effect.flatMap(Storage, (storage) =>
            storage.inSteps((step) =>
              handled(() => body(reduced(as(actor, (by) => (effect) => runAs(by)(step(effect))))))
            )
          )
        ) as ReturnType<typeof body>,
      run,
      close: () => (closed ??= close())
    }
  }

  return as(host, (actor) => whileOpen(runAs(actor)))
}

/** Effect of a host's handler, which may answer a promise or nothing. */
const handled = (handler: (signal: AbortSignal) => unknown): Effect.Effect<unknown, unknown> =>
  Effect.tryPromise({ try: async (signal) => handler(signal), catch: (error) => error })

/** A subscription that ends with the scope, or before where it is closed. */
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
