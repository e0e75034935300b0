/** Raised if the actor may view the resource but not perform the action. */
import { Schema } from "effect"

/** Raised if the actor may see the resource, but its role or the scopes of its token do not permit the operation. */
export class Forbidden extends Schema.TaggedError<Forbidden>()(
  "Forbidden",
  { message: Schema.String },
  { httpApiStatus: 403 }
) {}
