/**
 * Transfers dependent data of spaces that change their organization: change requests, and grants to and review requests
 * for users who are members of both organizations. Grants to teams are removed. Sites and integrations do not move (see
 * `InstallationRemoval`).
 */
import { Effect } from "effect"
import { Access } from "../../access/Access.ts"
import { GrantTable } from "../../grant/Grant.ts"
import { ChangeRequestTable } from "../../change-request/ChangeRequest.ts"
import { Events } from "../../event/Events.ts"
import type { OrganizationId } from "../../organization/Organization.ts"
import { makeAwaitedReviewers } from "../../review/store/AwaitedReviewers.ts"
import { RequestedReviewerTable } from "../../review/Review.ts"
import { makeSiteMemberships } from "../../site/store/SiteMemberships.ts"
import type { SpaceRow } from "../Space.ts"
import { cannotConflict, Storage } from "../../storage/Storage.ts"

export const makeSpaceTransfers = Effect.gen(function* () {
  const storage = yield* Storage
  const access = yield* Access
  const events = yield* Events
  const memberships = yield* makeSiteMemberships
  const requested = storage.repository(RequestedReviewerTable)
  const grants = storage.repository(GrantTable)
  const changeRequests = storage.repository(ChangeRequestTable)
  const awaited = yield* makeAwaitedReviewers

  return {
    /** Runs in the transaction that moves the spaces and collections. */
    moveDependents: Effect.fnUntraced(function* (
      {
        spaces: moved,
        collections
      }: {
        readonly spaces: ReadonlyArray<Pick<SpaceRow, "id" | "title">>
        readonly collections: ReadonlyArray<string>
      },
      from: OrganizationId,
      to: OrganizationId
    ) {
      const spaces = moved.map(({ id }) => id)
      const targetFacts = yield* access.facts(to)
      const contents = [...spaces, ...collections]
      yield* changeRequests.update({ space: { in: spaces } }, { organization: to }).pipe(cannotConflict)
      yield* memberships.leavePermanently(spaces)
      yield* grants.remove({ content: { in: contents }, holderKind: "team" })
      for (const grant of yield* grants.list({ where: { content: { in: contents } } })) {
        const key = { content: grant.content, holderKind: grant.holderKind, holder: grant.holder }
        if (targetFacts?.members.has(grant.holder) !== true) yield* grants.remove(key)
        else yield* grants.update(key, { organization: to })
      }
      const requests = yield* requested.list({ where: { space: { in: spaces } } })
      for (const { changeRequest, user } of requests) {
        if (targetFacts?.members.has(user) === true) continue
        yield* requested.remove({ changeRequest, user })
        yield* awaited.remove(changeRequest, user)
      }
      for (const { id: space, title: label } of moved) {
        yield* events.emit({ type: "space_transferred", organization: to, space, from }, { label })
      }
    })
  }
})
