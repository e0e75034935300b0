/** The actor may see the thing and may not do this with it. */
import { Schema } from "effect"

export class Forbidden extends Schema.TaggedError<Forbidden>()(
  "Forbidden",
  { message: Schema.String },
  { httpApiStatus: 403 }
) {}
