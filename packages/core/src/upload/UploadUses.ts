/** Rows of every concept that use uploaded files. */
import { concepts } from "../Concepts.ts"

export const uploadUses = concepts.flatMap(({ uploadUses }) => uploadUses)
