/** Dependent data of a space, in the order of removal. The space itself is removed last. */
import { concepts } from "../Concepts.ts"

export const spaceDependents = concepts.flatMap(({ spaceDependents }) => spaceDependents)
