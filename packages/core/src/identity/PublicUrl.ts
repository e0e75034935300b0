/**
 * The URL of this instance from outside, without a slash at the end: the base of every link in a resource.
 * Default: `http://127.0.0.1:4000`.
 */
import { Context } from "effect"

export const PublicUrl = Context.Reference<string>("@lectern/core/identity/PublicUrl", {
  defaultValue: () => "http://127.0.0.1:4000"
})
