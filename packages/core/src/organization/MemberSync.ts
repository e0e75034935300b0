/**
 * Brings the members of an organization in step with the host's list. A list of any length that changes nothing
 * writes nothing, and needs three reads.
 *
 * Only members who are users of the host (see `ExternalUser`) are removed if the list lacks them. People who were invited
 * by e-mail address stay.
 *
 * Changes are committed in groups of 100 members, administrators first and removals last. A failure keeps the groups
 * before it, and a second call continues.
 *
 * Limit: 10,000 members.
 */
import { Array as Arr, Effect, Schema } from "effect"
import { Role } from "../access/Role.ts"
import { accepting } from "../schema/Input.ts"
import { Storage } from "../storage/Storage.ts"
import { distinct, ExternalId, ExternalProfile, ExternalUserTable, hasProfile } from "../user/ExternalUser.ts"
import { type UserId, type UserRow, UserTable } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import { hasRole, type MemberRow, MemberTable } from "./Member.ts"
import { makeMembershipWrites } from "../membership/MembershipWrites.ts"
import type { AuthorizedOrganization } from "./Organizations.ts"

const HostMember = Schema.Struct({
  /** Id of the user in the host application. */
  externalId: ExternalId,
  ...ExternalProfile.fields,
  /** Role. `null` for a guest. */
  role: Schema.NullOr(Role)
})
export type HostMember = typeof HostMember.Type

const HostMembers = Schema.Array(HostMember).check(Schema.isMaxLength(10_000), distinct("externalId"))

export const acceptHostMembers = accepting(HostMembers)

/** Number of members that are written in one transaction. */
const groupSize = 100

/** Changes by `syncMembers`. */
export interface MemberChanges {
  readonly added: ReadonlyArray<UserId>
  /** Members with another role, name or address, and members who were disabled. */
  readonly changed: ReadonlyArray<UserId>
  readonly removed: ReadonlyArray<UserId>
  /** Users of the list, by external id. */
  readonly users: Readonly<Record<string, UserId>>
}

export const makeMemberSync = Effect.gen(function* () {
  const storage = yield* Storage
  const users = yield* Users
  const writes = yield* makeMembershipWrites
  const externals = storage.repository(ExternalUserTable)
  const members = storage.repository(MemberTable)
  const userRows = storage.repository(UserTable)

  /** Compares the list with the members of an organization. */
  const compare = Effect.fnUntraced(function* (
    memberRows: ReadonlyMap<string, MemberRow>,
    list: ReadonlyArray<HostMember>
  ) {
    const linked = yield* externals.getMany(list.map(({ externalId }) => ({ externalId })))
    const linkedUsers = linked.flatMap((row) => (row === undefined ? [] : [{ id: row.user }]))
    const rows = new Map<string | undefined, UserRow>(
      (yield* userRows.getMany(linkedUsers)).flatMap((row) => (row === undefined ? [] : [[row.id, row]]))
    )
    const entries = list.map((entry, i) => ({ entry, user: rows.get(linked[i]?.user) }))
    const unlisted = [...memberRows.keys()].filter((user) => !rows.has(user))
    const leaving =
      unlisted.length === 0
        ? []
        : (yield* externals.list({ where: { user: { in: unlisted } } })).map(({ user }) => user)
    return {
      outdated: entries.filter(
        ({ entry, user }) =>
          user === undefined || !hasProfile(user, entry) || !hasRole(memberRows.get(user.id), entry.role)
      ),
      leaving,
      users: entries.flatMap(({ entry, user }) => (user ? [[entry.externalId, user.id] as const] : []))
    }
  })

  return Effect.fnUntraced(function* (
    { organization: { id }, member }: AuthorizedOrganization,
    list: ReadonlyArray<HostMember>
  ) {
    const { outdated, leaving, users: currentUsers } = yield* compare(member.facts.members, list)
    const added: Array<UserId> = []
    const changed: Array<UserId> = []
    const usersByExternalId = new Map(currentUsers)

    const update = Effect.fnUntraced(function* ({ entry, user: userBefore }: (typeof outdated)[number]) {
      const { externalId, role, ...profile } = entry
      const user = yield* users.sync(externalId, profile)
      const row = yield* members.get({ organization: id, user: user.id })
      const hasNewRole = yield* writes.setRole(id, user.id, row, role)
      const isRenamed = userBefore?.email !== user.email || userBefore?.displayName !== user.displayName
      return { externalId, user: user.id, isNew: row === undefined, isChanged: isRenamed || hasNewRole }
    })

    const remove = Effect.fnUntraced(function* (user: UserId) {
      const row = yield* members.get({ organization: id, user })
      if (row !== undefined) yield* writes.remove(row)
    })

    const isAdministrator = ({ entry }: (typeof outdated)[number]) => entry.role === "admin"
    const administratorsFirst = [
      ...outdated.filter(isAdministrator),
      ...outdated.filter((change) => !isAdministrator(change))
    ]
    for (const group of Arr.chunksOf(administratorsFirst, groupSize)) {
      for (const { externalId, user, isNew, isChanged } of yield* storage.transaction(storage.all(group.map(update)))) {
        usersByExternalId.set(externalId, user)
        if (isNew) added.push(user)
        else if (isChanged) changed.push(user)
      }
    }
    for (const group of Arr.chunksOf(leaving, groupSize)) {
      yield* storage.transaction(storage.all(group.map(remove)))
    }
    return { added, changed, removed: leaving, users: Object.fromEntries(usersByExternalId) } satisfies MemberChanges
  })
})
