/** The event for a changed structure of a site, with the added and removed spaces for the audit log. */
import { changesOf } from "../audit/Changes.ts"
import type { EventDetails, EventOf } from "../event/Event.ts"
import type { SiteRow } from "./Site.ts"
import { spaces } from "./SiteStructure.ts"

/** Returns the spaces of a site, sorted, so that a new order is not a change. */
const sortedSpaces = ({ structure }: SiteRow) => ({ spaces: spaces(structure).toSorted() })

/** Returns the arguments of `Events.emit` for a site before and after a change. */
export const structureUpdated = (previousSite: SiteRow, { id, organization, title, structure }: SiteRow) =>
  [
    { type: "site_structure_updated", organization, site: id },
    {
      label: title,
      changes: changesOf(sortedSpaces(previousSite), sortedSpaces({ ...previousSite, structure }), ["spaces"])
    }
  ] as const satisfies readonly [
    Pick<EventOf<"site_structure_updated">, "type" | "organization" | "site">,
    EventDetails
  ]
