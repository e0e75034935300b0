/**
 * Setting of the instance: the ways to sign in that are on. A way without its requirements stays off: links by mail need
 * mail, and `oidc` and `saml` need a provider. Sessions that started earlier stay valid.
 */
import { Context } from "effect"
import { SignInMethod } from "./Token.ts"

/** Ways that are on. Default: all. */
export const SignInWays = Context.Reference<ReadonlySet<SignInMethod>>("@lectern/core/token/SignInWays", {
  defaultValue: () => new Set(SignInMethod.literals)
})
