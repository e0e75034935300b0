/**
 * Declares the rows of `@lectern/sign-in`. The services are in that package. The declarations are in the core because a
 * host without the package may open the same store.
 */
import { concept } from "../Concept.ts"
import { SecondFactorTable } from "./SecondFactor.ts"

export const signInConcept = concept({ sealed: [SecondFactorTable] })
