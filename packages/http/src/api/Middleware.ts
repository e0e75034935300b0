/** Middleware of all operations: authentication and error bodies. */
import { type Actor, CurrentActor } from "@lectern/core/access/Actor"
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { ErrorBodies } from "./ErrorBody.ts"

/** Authentication by `Authorization: Bearer <token>`. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentActor }>()(
  "@lectern/http/Authentication",
  { security: { bearer: HttpApiSecurity.bearer }, requiredForClient: true }
) {}

interface SenderIdentity {
  /**
   * The actor that the token identifies; undefined for a request without a token, or if the token identifies no actor.
   */
  readonly actor: Actor | undefined
  /** The token that identifies no actor, for operations that accept site tokens. */
  readonly siteToken?: string
}

/** The sender of a request to an operation that requires no token. */
export class Sender extends Context.Service<Sender, SenderIdentity>()("@lectern/http/Sender") {}

/** Authentication for operations that also accept requests without a token. An invalid token is rejected. */
export class OptionalAuthentication extends HttpApiMiddleware.Service<OptionalAuthentication, { provides: Sender }>()(
  "@lectern/http/OptionalAuthentication",
  { security: { bearer: HttpApiSecurity.bearer }, requiredForClient: true }
) {}

/** Declares the common error bodies. */
export class Failures extends HttpApiMiddleware.Service<Failures>()("@lectern/http/Failures", {
  error: ErrorBodies
}) {}
