/** A condition that finds the spaces of an organization which a member may read. */
import { grantedContents, grantedOn, levelOn, type Membership, visibleCollections } from "../access/Access.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Condition } from "../storage/Condition.ts"
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
