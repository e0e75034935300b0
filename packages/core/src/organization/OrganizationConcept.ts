/** Events of organizations and their people. */
import { Schema } from "effect"
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import { UserId } from "../user/User.ts"

const invitation = { invitation: Schema.String }
const member = { user: UserId }

export const organizationConcept = concept({
  events: [
    event("organization_created", {}),
    event("organization_updated", {}),
    event("invitation_sent", invitation),
    /** Declined, or taken back; who accepts one has joined. */
    event("invitation_removed", invitation),
    event("member_joined", member),
    event("member_updated", member),
    event("member_removed", member)
  ]
})
