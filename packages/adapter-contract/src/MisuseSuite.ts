/** Suite of misused transactions: bodies that wait, use by other fibers, bodies that exceed the time limit. */
import { assert } from "@effect/vitest"
import { slowTransaction, StorageError, transactionLimit, TransactionMisuse } from "@lectern/core/storage/Storage"
import { Cause, Clock, Deferred, Effect, Exit, Fiber, Logger } from "effect"
import { suite } from "./Harness.ts"
import { ids, items } from "./Invented.ts"

const isMisuse = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.some((reason) => reason._tag === "Die" && reason.defect instanceof TransactionMisuse)

/** Clock that the body of a transaction advances manually. */
const handClock = Effect.map(Clock.Clock, (clock) => {
  let now = 1_000_000
  const manualClock: Clock.Clock = {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
    monotonicTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    sleep: (duration) => clock.sleep(duration)
  }
  const pass = (millis: number) =>
    Effect.sync(() => {
      now += millis
    })
  return { hand: manualClock, pass }
})

export const misuseSuite = suite("misuse of transactions", (scenario) => {
  for (const [title, wait] of [
    ["a timer", Effect.sleep(1)],
    ["a promise", Effect.promise(() => Promise.resolve())],
    ["a fiber", Effect.flatMap(Effect.forkChild(Effect.never), Fiber.join)],
    ["its turn", Effect.yieldNow],
    ["nothing that ever comes", Effect.never],
    ["what can't be interrupted", Effect.uninterruptible(Effect.promise(() => Promise.resolve()))]
  ] as const) {
    scenario(`dies where the body waits for ${title}; nothing is written and the store goes on`, () =>
      Effect.gen(function* () {
        const { repository, storage } = yield* items
        const runLog: Array<string> = []
        const body = Effect.gen(function* () {
          yield* repository.insert({ id: "a" })
          yield* storage.afterCommit(Effect.sync(() => void runLog.push("a")))
          yield* storage.transaction(Effect.andThen(repository.insert({ id: "b" }), wait))
          yield* repository.insert({ id: "c" })
        })
        assert.isTrue(isMisuse(yield* Effect.exit(storage.transaction(body))))
        yield* storage.transaction(repository.insert({ id: "d" }))
        yield* repository.insert({ id: "e" })
        assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["d", "e"])
        assert.deepStrictEqual(runLog, [])
      })
    )
  }

  scenario("interrupts a body that waits, and lets nothing of it use the transaction later", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const gate = yield* Deferred.make<void>()
      const lateExit = yield* Deferred.make<Exit.Exit<unknown, unknown>>()
      const uninterruptible = Effect.gen(function* () {
        yield* Deferred.await(gate)
        const exits = [
          yield* Effect.exit(repository.get({ id: "a" })),
          yield* Effect.exit(repository.insert({ id: "b" }))
        ]
        yield* Deferred.succeed(lateExit, exits.every(isMisuse) ? exits[0]! : Exit.void)
      })
      const inner = storage.transaction(Effect.andThen(repository.insert({ id: "a" }), uninterruptible))
      assert.isTrue(isMisuse(yield* Effect.exit(storage.transaction(Effect.uninterruptible(inner)))))
      yield* Deferred.succeed(gate, undefined)
      assert.isTrue(isMisuse(yield* Deferred.await(lateExit)))
      const runLog: Array<string> = []
      const interruptible = Effect.onInterrupt(Effect.never, () => Effect.sync(() => void runLog.push("interrupted")))
      assert.isTrue(isMisuse(yield* Effect.exit(storage.transaction(interruptible))))
      assert.deepStrictEqual(runLog, ["interrupted"])
      assert.strictEqual(yield* repository.count({}), 0)
    })
  )

  scenario("is a defect from a child fiber", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const uses: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        repository.get({ id: "a" }),
        repository.insert({ id: "a" }),
        storage.transaction(repository.insert({ id: "a" })),
        storage.afterCommit(Effect.void)
      ]
      for (const use of uses) {
        const concurrentUses = Effect.all([use, use], { concurrency: 2 })
        assert.isTrue(isMisuse(yield* Effect.exit(storage.transaction(concurrentUses))))
      }
      assert.strictEqual(yield* repository.count({}), 0)
    })
  )

  scenario("is a defect from a fiber that outlives the transaction", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const gate = yield* Deferred.make<void>()
      const lateInsert = Effect.andThen(Deferred.await(gate), repository.insert({ id: "late" }))
      const fiber = yield* storage.transaction(
        Effect.andThen(repository.insert({ id: "a" }), Effect.forkDetach(lateInsert, { startImmediately: true }))
      )
      yield* Deferred.succeed(gate, undefined)
      assert.isTrue(isMisuse(yield* Fiber.await(fiber)))
      assert.deepStrictEqual(ids(yield* repository.list({ where: {} })), ["a"])
    })
  )

  scenario("is a defect in a context that was captured in a transaction, after its end", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const capturedContext = yield* storage.transaction(Effect.context<never>())
      const uses: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        repository.get({ id: "a" }),
        repository.remove({ id: "a" }),
        storage.transaction(Effect.void),
        storage.afterCommit(Effect.void)
      ]
      for (const use of uses) assert.isTrue(isMisuse(yield* Effect.exit(Effect.provideContext(use, capturedContext))))
      const inner = yield* storage.transaction(
        Effect.gen(function* () {
          const capturedContext = yield* storage.transaction(Effect.context<never>())
          return yield* Effect.exit(Effect.provideContext(repository.insert({ id: "a" }), capturedContext))
        })
      )
      assert.isTrue(isMisuse(inner))
      assert.strictEqual(yield* repository.count({}), 0)
    })
  )

  scenario("lets a repository that was made in a transaction be used outside it", () =>
    Effect.gen(function* () {
      const { table, storage } = yield* items
      const repository = yield* storage.transaction(Effect.sync(() => storage.repository(table)))
      yield* repository.insert({ id: "a" })
      assert.strictEqual(yield* repository.count({}), 1)
    })
  )

  for (const ending of ["a use of the store", "its end"]) {
    scenario(`rolls a body back that is over the limit at ${ending}`, () =>
      Effect.gen(function* () {
        const { repository, storage } = yield* items
        const { hand, pass } = yield* handClock
        const body = Effect.gen(function* () {
          yield* repository.insert({ id: "a" })
          yield* pass(transactionLimit + 1)
          if (ending !== "its end") {
            assert.instanceOf(yield* Effect.flip(repository.insert({ id: "b" })), StorageError)
            yield* Effect.ignore(storage.transaction(repository.insert({ id: "c" })))
          }
        })
        const exit = yield* Effect.exit(Effect.provideService(storage.transaction(body), Clock.Clock, hand))
        assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StorageError)
        assert.strictEqual(yield* repository.count({}), 0)
        yield* repository.insert({ id: "d" })
        assert.strictEqual(yield* repository.count({}), 1)
      })
    )
  }

  scenario("logs a body that is slow, and keeps what it wrote", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const { hand, pass } = yield* handClock
      const messages: Array<string> = []
      const logger = Logger.make(({ message }) => void messages.push(String(message)))
      const run = (id: string, millis: number) =>
        storage
          .transaction(Effect.andThen(repository.insert({ id }), pass(millis)))
          .pipe(
            Effect.provideService(Clock.Clock, hand),
            Effect.provideService(Logger.CurrentLoggers, new Set([logger]))
          )
      yield* run("fast", slowTransaction)
      assert.strictEqual(messages.length, 0)
      yield* run("slow", slowTransaction + 1)
      assert.strictEqual(messages.length, 1)
      assert.include(messages[0], String(slowTransaction + 1))
      assert.strictEqual(yield* repository.count({}), 2)
    })
  )

  scenario("doesn't count the time that a transaction waits for its turn", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      const { hand, pass } = yield* handClock
      const slow = (id: string) =>
        storage.transaction(Effect.andThen(repository.insert({ id }), pass(transactionLimit)))
      yield* Effect.all([slow("a"), slow("b"), slow("c")], { concurrency: "unbounded" }).pipe(
        Effect.provideService(Clock.Clock, hand)
      )
      assert.strictEqual(yield* repository.count({}), 3)
    })
  )

  scenario("is no misuse in a body of many thousand steps", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      let steps = 0
      const step = Effect.sync(() => void steps++)
      yield* storage.transaction(Effect.andThen(repository.insert({ id: "a" }), Effect.repeat(step, { times: 20_000 })))
      assert.strictEqual(steps, 20_001)
      assert.strictEqual(yield* repository.count({}), 1)
    })
  )
})
