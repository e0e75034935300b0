/** A line logged by a program. */
import { Schema } from "effect"

export const RunLog = Schema.Struct({
  level: Schema.Literals(["debug", "info", "warn", "error"]),
  message: Schema.String,
  timestamp: Schema.String
})
export type RunLog = typeof RunLog.Type
