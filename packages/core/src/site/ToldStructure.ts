/** The event that tells of another structure of a site, and the audit log of the spaces that came onto it or left. */
import { changesOf } from "../audit/Changes.ts"
import type { EventDetails, EventOf } from "../event/Event.ts"
import type { SiteRow } from "./Site.ts"
import { spaces } from "./SiteStructure.ts"

/** In no order of theirs. */
const spacesOn = ({ structure }: SiteRow) => ({ spaces: spaces(structure).toSorted() })

/** Arguments of `Events.emit` for a site before and after. */
export const structureUpdated = (before: SiteRow, { id, organization, title, structure }: SiteRow) =>
  [
    { type: "site_structure_updated", organization, site: id },
    { label: title, changes: changesOf(spacesOn(before), spacesOn({ ...before, structure }), ["spaces"]) }
  ] as const satisfies readonly [
    Pick<EventOf<"site_structure_updated">, "type" | "organization" | "site">,
    EventDetails
  ]
