/** Writes entries of the audit log. Must be called inside a transaction. */
import { Context, Effect, Option, type Schema } from "effect"
import { type Actor, CurrentActor } from "../access/Actor.ts"
import { Ids } from "../identity/Ids.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Storage } from "../storage/Storage.ts"
import { UserId, UserTable } from "../user/User.ts"
import {
  type AuditActor,
  type AuditEventRow,
  AuditEventTable,
  type AuditSource,
  type AuditTarget
} from "./AuditEvent.ts"
import type { Changes } from "./Changes.ts"

/** Origin of a call: the id of a request, or the command line. */
export const AuditOrigin = Context.Reference<{ readonly request?: string; readonly isCommandLine?: true }>(
  "@lectern/core/audit/AuditOrigin",
  { defaultValue: () => ({}) }
)

export interface NewAuditEvent {
  readonly organization: OrganizationId
  readonly action: string
  readonly target: AuditTarget
  /** True if Lectern performs the action, even during a request of an actor. */
  readonly isAutomatic?: true
  readonly changes?: Changes | undefined
  /** Ids and small values. Must not contain secrets. */
  readonly payload?: { readonly [name: string]: Schema.Json }
}

export const makeAuditTrail = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  const rows = storage.repository(AuditEventTable)
  const users = storage.repository(UserTable)

  /** Adds the names of users. */
  const withNames = Effect.fnUntraced(function* (actor: AuditActor, target: AuditTarget) {
    const unnamedUsers = [actor, target].filter((one) => one.type === "user" && !("label" in one))
    if (unnamedUsers.length === 0) return { actor, target }
    const userRows = yield* users.getMany(unnamedUsers.map(({ id }) => ({ id: UserId.make(id) })))
    const labelled = <A extends AuditActor | AuditTarget>(one: A): A => {
      const label = userRows[unnamedUsers.indexOf(one)]?.displayName
      return label === undefined ? one : { ...one, label }
    }
    return { actor: labelled(actor), target: labelled(target) }
  })

  return {
    /** Appends an entry to the log of an organization. The actor is the current one. */
    record: Effect.fnUntraced(function* ({
      organization,
      action,
      target: to,
      isAutomatic,
      changes,
      payload
    }: NewAuditEvent) {
      const origin = yield* AuditOrigin
      const currentActor = isAutomatic ? undefined : Option.getOrUndefined(yield* Effect.serviceOption(CurrentActor))
      const { actor, target } = yield* withNames(actorOf(currentActor, origin.isCommandLine === true), to)
      const entry: Omit<AuditEventRow, "id"> = {
        organization,
        occurredAt: yield* Timestamps.now,
        action,
        actor,
        source: sourceOf(currentActor),
        target,
        ...(origin.request !== undefined && { request: origin.request }),
        payload: { ...payload, ...(changes !== undefined && Object.keys(changes).length > 0 && { changes }) }
      }
      // Entries of one millisecond keep their order.
      const idAfter = yield* ids.following
      yield* rows.append((last) => ({ ...entry, id: idAfter(last) }))
    })
  }
})

/** Returns an actor in the form of the audit log. */
export const actorOf = (actor: Actor | undefined, isCommandLine: boolean): AuditActor => {
  switch (actor?.type) {
    case "user":
    case "token":
      return { type: "user", id: actor.user, ...(actor.token !== undefined && { token: actor.token }) }
    case "integration":
      return { type: "integration", id: actor.integration }
    case "installation":
      return { type: "installation", id: actor.installation, label: actor.integration }
    case "host":
      return { type: "system", id: isCommandLine ? "command-line" : "host" }
    default:
      return { type: "system", id: actor?.type ?? "lectern" }
  }
}

const sourceOf = (actor: Actor | undefined): AuditSource => {
  if (actor === undefined) return "workflow"
  if (actor.type === "host") return "script"
  return actor.type === "integration" || actor.type === "installation" ? "integration" : "api"
}
