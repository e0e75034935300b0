/** Declares that the stored links of a space to other websites are deleted with the space. */
import { concept } from "../Concept.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { LinkedSpaceTable } from "./LinkCheck.ts"

export const linkCheckConcept = concept({ spaceDependents: [rowsWhere(LinkedSpaceTable, (space) => ({ space }))] })
