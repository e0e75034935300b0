/** Belongings of a space, which are removed with it in this order; the space itself is the last. */
import { concepts } from "../Concepts.ts"

export const belongings = concepts.flatMap(({ spaceBelongings }) => spaceBelongings)
