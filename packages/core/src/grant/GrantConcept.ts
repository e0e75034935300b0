/** Declares the events of grants, and that grants are deleted with their space or site. */
import { Schema } from "effect"
import { Role } from "../access/Role.ts"
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import * as SiteDependents from "../site/SiteDependents.ts"
import * as RemoveSpaceDependents from "../space/RemoveSpaceDependents.ts"
import { ContentKind, GrantRow, GrantTable } from "./Grant.ts"

const { holderKind, holder } = GrantRow.fields

/** The content that a grant is on, and the user or team that holds the grant. */
const grant = { content: Schema.Struct({ kind: ContentKind, id: Schema.String }), holderKind, holder }

export const grantConcept = concept({
  events: [
    /** Emitted when a role is granted or changed. */
    event("grant_changed", { ...grant, role: Role }),
    /** Emitted when a grant is revoked. Not emitted for each grant when content is deleted or transferred. */
    event("grant_removed", grant)
  ],
  spaceDependents: [RemoveSpaceDependents.rowsWhere(GrantTable, (content) => ({ content }))],
  siteDependents: [SiteDependents.rowsWhere(GrantTable, (content) => ({ content }))]
})
