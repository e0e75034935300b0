/** Raised if the actor may view the resource but not perform the action. */
import { Schema } from "effect"

export class Forbidden extends Schema.TaggedError<Forbidden>()(
  "Forbidden",
  { message: Schema.String },
  { httpApiStatus: 403 }
) {}
