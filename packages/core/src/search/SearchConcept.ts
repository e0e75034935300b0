/** Declares the search index of a space: it is deleted with the space. */
import { concept } from "../Concept.ts"
import { removeIndexed } from "./indexing/SearchRemoval.ts"

export const searchConcept = concept({ spaceDependents: [removeIndexed] })
