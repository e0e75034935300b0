/** Conditions that select the spaces of an organization that a member may read. */
import { grantedContents, grantedOn, levelOn, type Membership, visibleCollections } from "../access/Access.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { alternatives, type Clause, type Condition, isIn } from "../storage/Condition.ts"
import type { SpaceTable } from "./Space.ts"

/** Returns the condition that selects the spaces a member may read, without deleted spaces. */
export const readable = (organization: OrganizationId, member: Membership): Condition<typeof SpaceTable> => {
  const activeSpaces = { organization, deleted: false }
  if (member.admin) return activeSpaces
  const grantedIds = grantedContents(member)
  const visibleCollectionIds = visibleCollections(member)
  const isGuest = member.role === null
  const separateSpaces = [...member.facts.bounded.values()].filter((space) => levelOn(member, space) !== undefined)
  return [
    { ...activeSpaces, id: { in: [...grantedIds, ...separateSpaces.map(({ id }) => id)] } },
    // If a grant makes a collection visible, its spaces are visible regardless of their default levels.
    {
      ...activeSpaces,
      bounded: false,
      parent: {
        in: visibleCollectionIds.filter((id) => grantedOn(member, member.facts.collections.get(id)!) !== undefined)
      }
    },
    ...(isGuest
      ? []
      : [
          { ...activeSpaces, inheritance: "set" },
          { ...activeSpaces, bounded: false, inheritance: "inherit", parent: { in: [null, ...visibleCollectionIds] } }
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
