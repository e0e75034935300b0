/** Events of organizations and their people, and their logos. */
import { Schema } from "effect"
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import { namedIn } from "../upload/UploadUrl.ts"
import { uploadUse } from "../upload/UploadUse.ts"
import { UserId } from "../user/User.ts"
import { OrganizationTable } from "./Organization.ts"

const invitation = { invitation: Schema.String }
/** The name of the link, without its secret. */
const inviteLink = { link: Schema.String }
const member = { user: UserId }

export const organizationConcept = concept({
  events: [
    event("organization_created", {}),
    event("organization_updated", {}),
    event("invitation_sent", invitation),
    /** Sent once more, with another role. */
    event("invitation_updated", invitation),
    /** Declined, or taken back; who accepts one has joined. */
    event("invitation_removed", invitation),
    event("invite_link_created", inviteLink),
    event("invite_link_updated", inviteLink),
    event("invite_link_removed", inviteLink),
    event("member_joined", member),
    event("member_updated", member),
    event("member_removed", member)
  ],
  uploadUses: [uploadUse(OrganizationTable, ({ logo }) => ({ blobs: namedIn(logo ?? "").map(({ blob }) => blob) }))]
})
