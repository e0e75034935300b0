/**
 * Setting of the instance: the ways to sign in that are on. A way without its requirements stays off: links by mail need
 * mail, and providers need a provider.
 */
import { Context, Schema } from "effect"

export const SignInWay = Schema.Literals(["password", "link", "passkey", "oidc", "saml"])
export type SignInWay = typeof SignInWay.Type

/** Ways that are on. Default: all. */
export const SignInWays = Context.Reference<ReadonlySet<SignInWay>>("@lectern/sign-in/SignInWays", {
  defaultValue: () => new Set(SignInWay.literals)
})
