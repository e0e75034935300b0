/** Steps of tests of notifications: the due work of the reader, and what the inboxes of people contain. */
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Notifications } from "@lectern/core/notification/Notifications"
import type { UserId } from "@lectern/core/user/User"
import { Effect } from "effect"
import { as } from "../comment/Discussion.ts"

/** Runs all due work, so that events have become notifications. */
export const settle = Effect.flatMap(JobWorker, ({ runDue }) => runDue)

/** Returns the notifications of a user, newest first. */
export const inboxOf = (user: UserId) =>
  Effect.flatMap(Notifications, ({ list }) => list({ limit: 1_000 })).pipe(as(user))

/** Returns the kinds of the notifications of each person, oldest first. People without notifications are missing. */
export const kindsOf = Effect.fnUntraced(function* <Name extends string>(people: Readonly<Record<Name, UserId>>) {
  yield* settle
  const kinds: { [N in Name]?: ReadonlyArray<string> } = {}
  for (const name of Object.keys(people) as Array<Name>) {
    const { items } = yield* inboxOf(people[name])
    if (items.length > 0) kinds[name] = items.map(({ kind }) => kind).toReversed()
  }
  return kinds
})
