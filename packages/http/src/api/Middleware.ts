/** Middleware before every operation: finds the actor, and tells failures. */
import { type Actor, CurrentActor } from "@lectern/core/access/Actor"
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { ErrorBodies } from "./ErrorBody.ts"

/** `Authorization: Bearer <token>` says who asks. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentActor }>()(
  "@lectern/http/Authentication",
  { security: { bearer: HttpApiSecurity.bearer }, requiredForClient: true }
) {}

/** The actor that a token names; undefined for a request without a token. */
export class Sender extends Context.Service<Sender, { readonly actor: Actor | undefined }>()("@lectern/http/Sender") {}

/** The same for what may be asked without a token; one that is no good is refused all the same. */
export class OptionalAuthentication extends HttpApiMiddleware.Service<OptionalAuthentication, { provides: Sender }>()(
  "@lectern/http/OptionalAuthentication",
  { security: { bearer: HttpApiSecurity.bearer }, requiredForClient: true }
) {}

/** Answers every failure with the one error body. */
export class Failures extends HttpApiMiddleware.Service<Failures>()("@lectern/http/Failures", {
  error: ErrorBodies
}) {}
