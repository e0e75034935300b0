/** Format of a spec's source text. */
import { Schema } from "effect"

export const SpecFormat = Schema.Literals(["json", "yaml"])
export type SpecFormat = typeof SpecFormat.Type
