/**
 * Lists spaces that an actor may see. The list of an organization is in tree order, depth first. It is read in
 * stretches: sibling spaces between two of their sibling collections. The list of the trash is by time of deletion.
 */
import { Effect } from "effect"
import { levelOn, type Membership } from "../access/Access.ts"
import type { CollectionId } from "../collection/Collection.ts"
import { makeCollectionPolicy } from "../collection/CollectionPolicy.ts"
import { stretchesAfter, keyAt, treeOrder } from "../collection/TreeOrder.ts"
import { appUrls } from "../identity/AppUrls.ts"
import { memberMissing } from "../organization/Member.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { type ListPage, Paging } from "../paging/Paging.ts"
import { alternatives, type Clause, isIn, type Test } from "../storage/Condition.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { Storage } from "../storage/Storage.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { hostUser } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import { expiredDeletion, removalTime } from "./leaving/SpaceTrash.ts"
import { type DeletedSpace, type MemberSpace, type Space, type SpaceRow, SpaceTable } from "./Space.ts"
import { readable, restorable } from "./ReadableSpaces.ts"
import { presentSpace } from "./SpacePresenter.ts"

export const makeSpaceLists = Effect.gen(function* () {
  const storage = yield* Storage
  const paging = yield* Paging
  const organizations = yield* Organizations
  const collectionPolicy = yield* makeCollectionPolicy
  const urls = yield* appUrls
  const users = yield* Users
  const spaces = storage.repository(SpaceTable)

  const presented = (member: Membership, found: ListPage<SpaceRow>): ListPage<Space> => ({
    ...found,
    items: found.items.map((space) => presentSpace({ space, member, level: levelOn(member, space)! }, urls))
  })

  const seenBy = Effect.fnUntraced(function* (
    organization: OrganizationId,
    member: Membership,
    list: string,
    params: PageParams
  ) {
    const visible = alternatives(readable(organization, member))
    const { stretches } = treeOrder(member.facts)
    const keys = new Map(stretches.map((stretch) => [stretch.parent, stretch.key]))
    /**
     * Reads spaces after `place` (a key in tree order; undefined = from the start), stretch by stretch, up to
     * `limit`.
     */
    const read = Effect.fnUntraced(function* (place: string | undefined, limit: number) {
      const spaceRows: Array<SpaceRow> = []
      for (const { parent, after, before } of place === undefined ? stretches : stretchesAfter(stretches, place)) {
        if (spaceRows.length >= limit) break
        const position = { gt: after ?? "", ...(before !== undefined && { lt: before }) }
        const where = childrenWhere(visible, parent).map((clause) => ({ ...clause, position }))
        if (where.length === 0) continue
        spaceRows.push(...(yield* spaces.list({ where, order: ["position"], limit: limit - spaceRows.length })))
      }
      return spaceRows
    })
    const placeOf = ({ parent, position }: SpaceRow) =>
      keyAt({ key: keys.get((parent ?? null) as CollectionId | null) ?? "" }, position)
    return yield* paging.after(read, list, placeOf, spaces.count(visible), params)
  })

  return {
    ofOrganization: Effect.fn("SpaceLists.ofOrganization")(function* (
      organization: OrganizationId,
      params: PageParams
    ) {
      const { member } = yield* organizations.require(organization, "see this organization")
      return presented(member, yield* seenBy(organization, member, `spaces of ${organization}`, params))
    }),

    /**
     * Lists the spaces that a member may see, with the member's level on each. For the member and for administrators.
     */
    ofMember: Effect.fn("SpaceLists.ofMember")(function* (
      organization: OrganizationId,
      user: string,
      params: PageParams
    ) {
      const { member } = yield* organizations.require(organization, "see this organization")
      const row = member.facts.members.get(user)
      if (row === undefined) return yield* memberMissing(user)
      if (member.user !== user) {
        yield* organizations.require(organization, "see what other members may do in this organization")
      }
      // A disabled member sees no spaces, like a guest without grants.
      const seeing: Membership = row.disabled
        ? { user: undefined, role: null, admin: false, facts: member.facts }
        : { user, role: row.role, admin: row.role === "admin", facts: member.facts }
      const spacePage = yield* seenBy(organization, seeing, `spaces of ${user} in ${organization}`, params)
      const presentedPage = presented(member, spacePage)
      const items = presentedPage.items.map((space, i) => ({
        permission: levelOn(seeing, spacePage.items[i]!)!,
        space
      }))
      const memberPage: ListPage<MemberSpace> = { ...presentedPage, items }
      return memberPage
    }),

    /** Lists the direct child spaces of a collection. */
    ofCollection: Effect.fn("SpaceLists.ofCollection")(function* (id: CollectionId, params: PageParams) {
      const { collection, member } = yield* collectionPolicy.require(id, "see this collection")
      const where = childrenWhere(alternatives(readable(collection.organization, member)), id)
      const query = { where, order: ["position"] } as const
      return presented(member, yield* paging.rows(SpaceTable, `spaces of ${id}`, query, params))
    }),

    /** Lists the spaces in the trash that the actor may restore, latest deletion first. */
    deleted: Effect.fn("SpaceLists.deleted")(function* (organization: OrganizationId, params: PageParams) {
      const { member } = yield* organizations.require(organization, "see this organization")
      const where = restorable(organization, member, expiredDeletion(yield* Timestamps.now))
      const query = { where, order: ["deletedAt"], descending: true } as const
      const page = yield* paging.rows(SpaceTable, `deleted spaces of ${organization}`, query, params)
      const people = yield* users.present(page.items.map(({ deletedBy }) => deletedBy ?? hostUser))
      const { items, ...rest } = presented(member, page)
      const deletedPage: ListPage<DeletedSpace> = {
        ...rest,
        items: items.map((space, i) => ({
          space,
          deletedBy: people.get(page.items[i]!.deletedBy ?? hostUser)!,
          restorableUntil: removalTime(space.deletedAt!)
        }))
      }
      return deletedPage
    })
  }
})

/** Limits clauses to the spaces with a certain parent. */
const childrenWhere = (visible: ReadonlyArray<Clause<typeof SpaceTable>>, parent: CollectionId | null) =>
  visible
    .filter((clause) => clause.parent === undefined || includes(clause.parent, parent))
    .map((clause) => ({ ...clause, parent }))

const includes = (test: Test, value: string | null): boolean => (isIn(test) ? test.in.includes(value) : test === value)
