/**
 * Declares the rows of `@lectern/sign-in`, whose services are in that package. The core declares them, because a host
 * without the package may open the same store and change its key: then the secrets in these rows are encrypted again.
 */
import { concept } from "../Concept.ts"
import { SecondFactorTable } from "./SecondFactor.ts"

export const signInConcept = concept({ sealed: [SecondFactorTable] })
