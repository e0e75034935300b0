/**
 * Public URL of this instance, without a trailing slash. Base of all links in resources. Default:
 * `http://127.0.0.1:4000`.
 */
import { Context } from "effect"

export const PublicUrl = Context.Reference<string>("@lectern/core/identity/PublicUrl", {
  defaultValue: () => "http://127.0.0.1:4000"
})
