/** Responses of integrations that are stored for a space. */
import { concept } from "../Concept.ts"
import { root } from "../content/store/GarbageRoot.ts"
import { rowsWhere } from "../space/SpaceBelonging.ts"
import { ComputedAnswerTable } from "./ComputedAnswer.ts"

export const computedConcept = concept({
  spaceBelongings: [rowsWhere(ComputedAnswerTable, (space) => ({ space }))],
  roots: [root(ComputedAnswerTable, ({ answer }) => ({ objects: [answer] }))]
})
