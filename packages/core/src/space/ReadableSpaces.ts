/** Conditions that select the spaces of an organization on which a member has a certain level of access. */
import { grantedContents, grantedOn, levelOn, type Membership } from "../access/Access.ts"
import { atLeast, type Role, rolesFrom } from "../access/Role.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Timestamp } from "../schema/Text.ts"
import { alternatives, type Clause, type Condition, isIn } from "../storage/Condition.ts"
import type { SpaceTable } from "./Space.ts"
import { rules } from "./SpacePolicy.ts"

/** Returns the condition that selects the spaces a member may read, without deleted spaces. */
export const readable = (organization: OrganizationId, member: Membership): Condition<typeof SpaceTable> =>
  withLevel({ organization, deleted: false }, member, rules["see this space"])

/** Returns the condition that selects the spaces in the trash that a member may restore, deleted after `since`. */
export const restorable = (
  organization: OrganizationId,
  member: Membership,
  since: Timestamp
): Condition<typeof SpaceTable> =>
  withLevel({ organization, deleted: true, deletedAt: { gt: since } }, member, rules["restore this space"])

/** Restricts a clause to the spaces on which a member has at least the role `least`. */
const withLevel = (
  clause: Clause<typeof SpaceTable>,
  member: Membership,
  least: Role
): Condition<typeof SpaceTable> => {
  if (member.admin) return clause
  const { bounded, collections } = member.facts
  const isEnough = (role: Role | undefined) => atLeast(role, least)
  const isGuest = member.role === null
  const grantedIds = grantedContents(member, least)
  const separateSpaces = [...bounded.values()].filter((space) => isEnough(levelOn(member, space)))
  const accessedCollections = [...collections.values()].filter((collection) => isEnough(levelOn(member, collection)))
  return [
    { ...clause, id: { in: [...grantedIds, ...separateSpaces.map(({ id }) => id)] } },
    // A grant on a collection applies to its spaces regardless of their default levels.
    {
      ...clause,
      bounded: false,
      parent: {
        in: accessedCollections
          .filter((collection) => isEnough(grantedOn(member, collection)))
          .map(({ id }) => id as string)
      }
    },
    ...(isGuest
      ? []
      : [
          { ...clause, inheritance: "set", ...(least !== "read" && { defaultLevel: { in: rolesFrom(least) } }) },
          {
            ...clause,
            bounded: false,
            inheritance: "inherit",
            parent: { in: [...(atLeast(member.role, least) ? [null] : []), ...accessedCollections.map(({ id }) => id)] }
          }
        ])
  ]
}

/**
 * Returns the condition that selects the readable spaces with one of the ids or parents. Excludes spaces with an access
 * ceiling and spaces that follow another space, since their parent does not determine their access.
 */
export const readableAmong = (
  member: Membership,
  { ids, parents }: { readonly ids: ReadonlySet<string>; readonly parents: ReadonlySet<string> }
): ReadonlyArray<Clause<typeof SpaceTable>> =>
  alternatives(readable(member.facts.organization.id, member))
    .map((clause) => ({ ...clause, bounded: false }))
    .flatMap((clause): ReadonlyArray<Clause<typeof SpaceTable>> => [
      ...restrictClause(clause, "id", ids),
      ...restrictClause(clause, "parent", parents)
    ])

/**
 * Restricts a clause to rows whose field has one of the values. Returns an empty list if the clause allows none of the
 * values.
 */
const restrictClause = (
  clause: Clause<typeof SpaceTable>,
  field: "id" | "parent",
  values: ReadonlySet<string>
): ReadonlyArray<Clause<typeof SpaceTable>> => {
  const fieldTest = clause[field]
  const remainingValues =
    fieldTest !== undefined && isIn(fieldTest)
      ? fieldTest.in.filter((value) => values.has(value as string))
      : [...values]
  return remainingValues.length === 0 ? [] : [{ ...clause, [field]: { in: remainingValues } }]
}
