/** Sessions of the authenticated user: the browsers in which it is signed in. */
import { Session } from "@lectern/core/token/Session"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"

const collectionPath = "/user/sessions"

export const UserSessionsApi = HttpApiGroup.make("userSessions")
  .annotateMerge(
    OpenApi.annotations({
      title: "Sessions",
      description: "Sessions of the authenticated user: the browsers in which it is signed in."
    })
  )
  .add(
    Operation.get("list", collectionPath, {
      description: "Lists the valid sessions of the user, newest first.",
      scopes: ["user:read"],
      query: PageQuery,
      success: listOf(Session)
    }),
    Operation.delete("revokeOthers", collectionPath, {
      description: "Ends all sessions of the user except the session of this request.",
      scopes: ["user:write"],
      success: HttpApiSchema.NoContent
    }),
    Operation.delete("revoke", `${collectionPath}/:sessionId`, {
      description: "Ends one session of the user.",
      scopes: ["user:write"],
      params: { sessionId: Schema.String.annotateKey({ description: "The id of the session." }) },
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
