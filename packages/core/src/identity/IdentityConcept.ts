/** Declares that the row of the instance has encrypted fields. */
import { concept } from "../Concept.ts"
import { InstanceTable } from "./InstanceRow.ts"

export const identityConcept = concept({ sealed: [InstanceTable] })
