/** Declares the events of organizations and their members, and that logos retain uploaded files. */
import { Schema } from "effect"
import { Role } from "../access/Role.ts"
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import { namedIn } from "../upload/UploadUrl.ts"
import { uploadUse } from "../upload/UploadUse.ts"
import { UserId } from "../user/User.ts"
import { OrganizationTable } from "./Organization.ts"

const invitation = { invitation: Schema.String }
/** Name of the link, without its secret. */
const inviteLink = { link: Schema.String }
const member = { user: UserId }
const emailDomain = { domain: Schema.String }

export const organizationConcept = concept({
  events: [
    event("organization_created", {}),
    event("organization_updated", {}),
    event("invitation_sent", invitation),
    /** Emitted if a pending invitation gets another role. */
    event("invitation_updated", invitation),
    /** Emitted if an invitation is declined or withdrawn. An accepted invitation emits `member_joined`. */
    event("invitation_removed", invitation),
    event("invite_link_created", inviteLink),
    event("invite_link_updated", inviteLink),
    event("invite_link_removed", inviteLink),
    event("member_joined", member),
    event("member_updated", member),
    event("member_removed", member),
    /** Emitted in addition to `member_updated` if the role changes. Null: no role in the organization itself. */
    event("member_role_updated", { ...member, previousRole: Schema.NullOr(Role), role: Schema.NullOr(Role) }),
    event("email_domain_proved", emailDomain),
    /** Emitted if a proved domain is removed from the organization. */
    event("email_domain_lost", emailDomain)
  ],
  uploadUses: [uploadUse(OrganizationTable, ({ logo }) => ({ blobs: namedIn(logo ?? "").map(({ blob }) => blob) }))]
})
