/** Stored links of spaces to other websites. */
import { concept } from "../Concept.ts"
import { rowsWhere } from "../space/SpaceBelonging.ts"
import { LinkedSpaceTable } from "./LinkCheck.ts"

export const linkCheckConcept = concept({ spaceBelongings: [rowsWhere(LinkedSpaceTable, (space) => ({ space }))] })
