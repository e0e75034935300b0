/** Lists all declarations of upload use of all concepts. */
import { concepts } from "../Concepts.ts"

export const uploadUses = concepts.flatMap(({ uploadUses }) => uploadUses)
