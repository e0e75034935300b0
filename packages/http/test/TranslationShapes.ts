/** The shapes that the interface promises of translations. */
import { Schema } from "effect"
import { DateTime, DocumentShape, Id, Url } from "./Shapes.ts"

const Number = Schema.Finite
const maybe = Schema.optionalKey

export const Translation = Schema.Struct({
  object: Schema.Literal("translation"),
  id: Id,
  status: Schema.Literals(["pending", "running", "completed"]),
  source: maybe(Schema.Struct({ space: Id, language: maybe(Schema.String) })),
  language: Schema.String,
  instructions: maybe(DocumentShape),
  result: maybe(Schema.Struct({ space: Id, revision: Id, language: Schema.String })),
  untranslated: Schema.Int,
  lastError: maybe(Schema.String),
  createdAt: DateTime,
  updatedAt: DateTime,
  stats: Schema.Struct({
    runs: Number,
    totalWords: Number,
    totalPages: Number,
    totalDuration: Schema.Int,
    latestRunDuration: Schema.Int,
    latestPages: Number,
    latestWords: Number
  }),
  permissions: Schema.Struct({ view: Schema.Boolean, edit: Schema.Boolean }),
  urls: Schema.Struct({ location: Url })
})
