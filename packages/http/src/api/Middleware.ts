/** What stands before every operation: who asks, and how failures are told. */
import { CurrentActor } from "@lectern/core/access/Actor"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { ErrorBodies } from "./ErrorBody.ts"

/** `Authorization: Bearer <token>` says who asks. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentActor }>()(
  "@lectern/http/Authentication",
  { security: { bearer: HttpApiSecurity.bearer }, requiredForClient: true }
) {}

/** Answers every failure with the one error body. */
export class Failures extends HttpApiMiddleware.Service<Failures>()("@lectern/http/Failures", {
  error: ErrorBodies
}) {}
