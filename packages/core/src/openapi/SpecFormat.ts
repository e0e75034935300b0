/** How a spec is written. */
import { Schema } from "effect"

export const SpecFormat = Schema.Literals(["json", "yaml"])
export type SpecFormat = typeof SpecFormat.Type
