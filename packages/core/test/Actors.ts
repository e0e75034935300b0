/** Actors of every level on an organization, and the outcome of an operation for each of them. */
import type { EventOf, EventType } from "@lectern/core/event/Event"
import { EventId } from "@lectern/core/event/EventKind"
import { Events } from "@lectern/core/event/Events"
import { Organizations } from "@lectern/core/organization/Organizations"
import type { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import { as } from "./comment/Discussion.ts"
import { organization, type Services } from "./Instances.ts"

/** Levels of members in the organization. A guest is a member without a level. */
const levels = {
  admin: "admin",
  create: "create",
  review: "review",
  edit: "edit",
  comment: "comment",
  read: "read"
} as const

export type People = Readonly<Record<keyof typeof levels | "guest" | "outsider", UserId>>

/**
 * Creates an organization with a member of each level, a guest, and an outsider, who is an administrator of another
 * organization (`elsewhere`).
 */
export const members = Effect.gen(function* () {
  const users = yield* Users
  const organizations = yield* Organizations
  const org = yield* organization
  const elsewhere = (yield* organizations.create({ title: "Elsewhere" })).id
  const people: Record<string, UserId> = {}
  for (const name of [...Object.keys(levels), "guest", "outsider"]) {
    people[name] = (yield* users.create({ email: `${name}@example.com` })).id
    const level = levels[name as keyof typeof levels] ?? null
    yield* name === "outsider"
      ? organizations.join(elsewhere, people[name], "admin")
      : organizations.join(org, people[name], level)
  }
  return { org, elsewhere, people: people as People }
})

type Fallible<A = unknown, R = Services> = Effect.Effect<A, { readonly _tag: string }, R>

/** Returns the name of the error of an operation, or `ok`. */
export const outcome = <R>(operation: Fallible<unknown, R>): Effect.Effect<string, never, R> =>
  Effect.match(operation, { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })

/** Runs an operation as the host and as each person. Returns the actors by outcome, as in `{ ok: "host admin" }`. */
export const outcomes = Effect.fnUntraced(function* <R>(
  people: Readonly<Record<string, UserId>>,
  operation: Fallible<unknown, R> | ((actor: string) => Fallible<unknown, R>)
) {
  const found: Record<string, string> = {}
  for (const [name, id] of [["host", "host"] as const, ...Object.entries(people)]) {
    const result = yield* outcome(typeof operation === "function" ? operation(name) : operation).pipe(as(id))
    found[result] = found[result] === undefined ? name : `${found[result]} ${name}`
  }
  return found
})

/** Returns the types of the events that an operation emits. */
export const emitted = Effect.fnUntraced(function* <A, E, R>(operation: Effect.Effect<A, E, R>) {
  const events = yield* Events
  const after = yield* events.end
  yield* operation
  return (yield* events.read({ after: after ?? EventId.make("") })).events.map(({ type }) => type)
})

/** Returns all events of a type. */
export const eventsOf = <Type extends EventType>(type: Type) =>
  Events.use((events) =>
    Effect.map(
      events.read({ after: EventId.make(""), types: [type] }),
      (found) => found.events as ReadonlyArray<EventOf<Type>>
    )
  )

/** Returns a function that declares a rule as a test with a Lectern of its own. */
export const ruleOn =
  <R, E>(services: Layer.Layer<R, E>) =>
  (title: string, body: () => Effect.Effect<void, unknown, R | Scope.Scope>): void =>
    it.effect(title, () => Effect.provide(body(), Layer.fresh(services)))
