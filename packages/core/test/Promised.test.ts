import { promised, type Run, type Unbranded } from "@lectern/core/Promised"
import type { InputTime } from "@lectern/core/schema/InputTime"
import type { Timestamp } from "@lectern/core/schema/Text"
import type { SpaceId } from "@lectern/core/space/Space"
import { assert, it } from "@effect/vitest"
import { Data, Effect, Redacted } from "effect"

class Refused extends Data.TaggedError("Refused")<{ readonly message: string }> {}

const run: Run<never> = (effect) => Effect.runPromise(effect)

const service = promised(
  "numbers",
  {
    limit: 3,
    add: (a: number, b = 1) => Effect.succeed(a + b),
    plain: (a: number) => a * 2,
    now: Effect.sync(() => 7),
    refuse: () => Effect.fail(new Refused({ message: "No" })),
    secret: () => Effect.succeed(Redacted.make("shown")),
    token: (): Effect.Effect<{ readonly token: Redacted.Redacted; readonly id: string }> =>
      Effect.succeed({ token: Redacted.make("shown"), id: "1" }),
    broken: () =>
      Effect.sync(function throwTypeError() {
        return (null as unknown as string).length
      }),
    nothing: () => Effect.succeed(null),
    each: (
      items: ReadonlyArray<number>,
      options: { readonly write: (item: number) => Effect.Effect<void, Refused>; readonly limit?: number }
    ) => Effect.forEach(items.slice(0, options.limit), options.write, { discard: true }),
    sum: (given: { readonly parts: ReadonlyArray<{ readonly value: () => Effect.Effect<number, Refused> }> }) =>
      Effect.map(
        Effect.forEach(given.parts, ({ value }) => value()),
        (values) => values.reduce((sum, value) => sum + value, 0)
      ),
    same: (given: object) => Effect.succeed(given),
    twice: (make: () => Effect.Effect<number>) => Effect.zipWith(make(), make(), (a, b) => a + b)
  },
  run
)

const failureOf = (promise: Promise<unknown>): Promise<Error & { readonly operation?: string }> =>
  promise.then(
    () => assert.fail("nothing was thrown"),
    (error: unknown) => error as Error
  )

it("answers promises where there were effects, and leaves the rest", async () => {
  assert.strictEqual(await service.add(1), 2)
  assert.strictEqual(await service.add(1, 2), 3)
  assert.strictEqual(await service.now(), 7)
  assert.isNull(await service.nothing())
  assert.strictEqual(service.plain(2), 4)
  assert.strictEqual(service.limit, 3)
})

it("throws the named error itself", async () => {
  const error = await service.refuse().then(
    () => assert.fail("nothing was thrown"),
    (error: unknown) => error
  )
  assert.instanceOf(error, Refused)
  assert.strictEqual(error.name, "Refused")
  assert.strictEqual(error.message, "No")
})

it("names the method that failed, and shows where it was called", async () => {
  const callRefuse = () => service.refuse()
  const refused = await failureOf(callRefuse())
  assert.strictEqual(refused.operation, "numbers.refuse")
  const [head, frame] = refused.stack!.split("\n")
  assert.strictEqual(head, "Refused: No")
  assert.include(frame, "callRefuse")
  const callBroken = () => service.broken()
  const broken = await failureOf(callBroken())
  assert.strictEqual(broken.operation, "numbers.broken")
  assert.match(broken.stack!, /^TypeError: .*\n.*throwTypeError[^]*callBroken/)
})

it("shows secrets, alone or as a field", async () => {
  const alone: string = await service.secret()
  assert.strictEqual(alone, "shown")
  const { token, id }: { readonly token: string; readonly id: string } = await service.token()
  assert.deepStrictEqual({ token, id }, { token: "shown", id: "1" })
})

it("takes functions that answer promises where the service asks for effects", async () => {
  const seen: Array<number> = []
  const write = async (item: number) => {
    if (item === 0) throw new Refused({ message: "Not 0" })
    seen.push(item)
  }
  await service.each([1, 2, 3], { write, limit: 2 })
  await service.each([4], { write: (item) => Effect.sync(() => void seen.push(item)) })
  assert.deepStrictEqual(seen, [1, 2, 4])
  assert.strictEqual(await service.twice(() => Promise.resolve(3)), 6)
  const error = await service.each([0], { write }).catch((error: unknown) => error)
  assert.instanceOf(error, Refused)
})

it("takes them in a list among the options, too, and leaves what has none as it is", async () => {
  const parts = [{ value: async () => 1 }, { value: () => Effect.succeed(2) }]
  assert.strictEqual(await service.sum({ parts }), 3)
  const refused = { value: () => Promise.reject(new Refused({ message: "No value" })) }
  assert.instanceOf(await service.sum({ parts: [refused] }).catch((error: unknown) => error), Refused)
  const plain = { list: [{ bytes: new Uint8Array(1), of: { any: ["depth"] } }], map: new Map() }
  assert.strictEqual(await service.same(plain), plain)
})

it("takes dates as ISO strings, and an invalid date as text that is not a time", async () => {
  const given = { at: new Date(0), range: { from: new Date(1) }, list: [new Date(Number.NaN)] }
  assert.deepStrictEqual(await service.same(given), {
    at: "1970-01-01T00:00:00.000Z",
    range: { from: "1970-01-01T00:00:00.001Z" },
    list: ["Invalid Date"]
  })
  const typed: Unbranded<{
    readonly at?: InputTime
    readonly until: Timestamp
    readonly id: SpaceId
    readonly text: string
  }> = {
    at: new Date(0),
    until: new Date(0),
    id: "plain",
    text: "text"
  }
  // @ts-expect-error: only fields with times accept a `Date`, and `text` is a plain string.
  const wrong: Unbranded<{ readonly text: string }> = { text: new Date(0) }
  assert.notStrictEqual<unknown>(typed, wrong)
})
