/** The search index of a space. */
import { concept } from "../Concept.ts"
import { removeIndexed } from "./indexing/SearchRemoval.ts"

export const searchConcept = concept({ spaceBelongings: [removeIndexed] })
