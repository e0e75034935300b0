/**
 * Tables whose rows keep objects and blobs alive. Values that no such row refers to are removed a day after their last
 * write.
 */
import { concepts } from "../../Concepts.ts"

export const roots = concepts.flatMap(({ roots }) => roots)
