/**
 * Declares two rules for stored responses of integrations. They are deleted with their space, and garbage collection
 * keeps the objects that they refer to.
 */
import { concept } from "../Concept.ts"
import { root } from "../content/store/GarbageRoot.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { ComputedResponseTable } from "./ComputedResponse.ts"

export const computedConcept = concept({
  spaceDependents: [rowsWhere(ComputedResponseTable, (space) => ({ space }))],
  roots: [root(ComputedResponseTable, ({ answer }) => ({ objects: [answer] }))]
})
