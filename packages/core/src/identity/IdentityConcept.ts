/** Encrypted fields of the instance itself. */
import { concept } from "../Concept.ts"
import { InstanceTable } from "./InstanceRow.ts"

export const identityConcept = concept({ sealed: [InstanceTable] })
