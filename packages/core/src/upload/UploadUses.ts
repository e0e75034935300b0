/** All declarations of upload use. */
import { concepts } from "../Concepts.ts"

export const uploadUses = concepts.flatMap(({ uploadUses }) => uploadUses)
