/** Imports that run in the background go with the space that they are into. */
import { concept } from "../Concept.ts"
import { rowsWhere } from "../space/SpaceBelonging.ts"
import { ImportRunTable } from "./ImportRun.ts"

export const importRunConcept = concept({ spaceBelongings: [rowsWhere(ImportRunTable, (space) => ({ space }))] })
