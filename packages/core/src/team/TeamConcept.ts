/** Declares the events of teams. */
import { Schema } from "effect"
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"

const team = { team: Schema.String }

export const teamConcept = concept({
  events: [
    event("team_created", team),
    event("team_updated", team),
    event("team_members_updated", team),
    event("team_deleted", team)
  ]
})
