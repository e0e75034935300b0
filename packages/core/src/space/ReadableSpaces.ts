/** A condition that finds the spaces of an organization which a member may read. */
import { grantedContents, grantedOn, levelOn, type Membership, visibleCollections } from "../access/Access.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { alternatives, type Clause, type Condition, isIn } from "../storage/Condition.ts"
import type { SpaceTable } from "./Space.ts"

/** The active spaces of an organization that this member has any level on. */
export const readable = (organization: OrganizationId, member: Membership): Condition<typeof SpaceTable> => {
  const active = { organization, deleted: false }
  if (member.admin) return active
  const granted = grantedContents(member)
  const within = visibleCollections(member)
  const guest = member.role === null
  const bounded = [...member.facts.bounded.values()].filter((space) => levelOn(member, space) !== undefined)
  return [
    { ...active, id: { in: [...granted, ...bounded.map(({ id }) => id)] } },
    // In a collection that it sees by a grant, it sees whatever else is said of the space.
    {
      ...active,
      bounded: false,
      parent: {
        in: within.filter((id) => grantedOn(member, member.facts.collections.get(id)!) !== undefined)
      }
    },
    ...(guest
      ? []
      : [
          { ...active, inheritance: "set" },
          { ...active, bounded: false, inheritance: "inherit", parent: { in: [null, ...within] } }
        ])
  ]
}

/**
 * The same of those spaces alone that are named or lie in one of these collections, and whose access follows from
 * what holds them.
 */
export const readableAmong = (
  member: Membership,
  { ids, parents }: { readonly ids: ReadonlySet<string>; readonly parents: ReadonlySet<string> }
): ReadonlyArray<Clause<typeof SpaceTable>> =>
  alternatives(readable(member.facts.organization.id, member))
    .map((clause) => ({ ...clause, bounded: false }))
    .flatMap((clause): ReadonlyArray<Clause<typeof SpaceTable>> => [
      ...narrowed(clause, "id", ids),
      ...narrowed(clause, "parent", parents)
    ])

/** A clause as far as this field is one of these values; nothing where none is left. */
const narrowed = (
  clause: Clause<typeof SpaceTable>,
  field: "id" | "parent",
  values: ReadonlySet<string>
): ReadonlyArray<Clause<typeof SpaceTable>> => {
  const test = clause[field]
  const left = test !== undefined && isIn(test) ? test.in.filter((value) => values.has(value as string)) : [...values]
  return left.length === 0 ? [] : [{ ...clause, [field]: { in: left } }]
}
