/** Sessions of a user, by its own hand. */
import { Sessions } from "@lectern/core/token/Sessions"
import { assert, type Vitest } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, type Services } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"

const path = "/v1/user/sessions"

const Session = Schema.Struct({
  object: Schema.Literal("session"),
  id: Schema.String,
  user: Schema.String,
  method: Schema.String,
  factor: Schema.Boolean,
  device: Schema.optionalKey(Schema.String),
  createdAt: Schema.String,
  expiresAt: Schema.String,
  idleEndsAt: Schema.String,
  current: Schema.Boolean
})

export const sessionOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("lists sessions, and ends one, or all others", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const sessions = yield* Sessions
      const start = Effect.map(
        Effect.andThen(TestClock.adjust(1), sessions.start(users.edit, { method: "password", device: "curl" })),
        ({ token, session }) => ({ token: Redacted.value(token), id: session.id })
      )
      const [first, second, third] = [yield* start, yield* start, yield* start]
      const listed = yield* call(second, "GET", path).pipe(answers(200, Shapes.listOf(Session)))
      assert.deepStrictEqual(
        listed.items.map(({ id, current }) => [id, current]),
        [
          [third.id, false],
          [second.id, true],
          [first.id, false]
        ]
      )
      assert.deepInclude(listed.items[0], { user: users.edit, method: "password", factor: false, device: "curl" })
      yield* call("admin", "DELETE", `${path}/${first.id}`).pipe(has(204))
      yield* call(first, "GET", "/v1/user").pipe(has(200))
      yield* call(second, "DELETE", `${path}/${first.id}`).pipe(has(204))
      yield* call(second, "DELETE", `${path}/${first.id}`).pipe(has(204))
      yield* call(first, "GET", "/v1/user").pipe(has(401))
      yield* call(second, "DELETE", path).pipe(has(204))
      yield* call(third, "GET", "/v1/user").pipe(has(401))
      yield* call(second, "GET", "/v1/user").pipe(has(200))
      // Tokens of the user are no sessions, and stay.
      yield* call("edit", "GET", "/v1/user").pipe(has(200))
      yield* call("edit", "DELETE", path).pipe(has(204))
      yield* call(second, "GET", "/v1/user").pipe(has(401))
    })
  )
}
