/** Rows that keep objects and blobs alive; what no row here reaches is swept a day after it was written. */
import { concepts } from "../../Concepts.ts"

export const roots = concepts.flatMap(({ roots }) => roots)
