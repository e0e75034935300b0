/** The authenticated user, and users of the same organizations. */
import { User, UserPatch } from "@lectern/core/user/User"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { userId } from "./Parameters.ts"

export const UsersApi = HttpApiGroup.make("users")
  .annotateMerge(
    OpenApi.annotations({ title: "Users", description: "The authenticated user, and users of the same organizations." })
  )
  .add(
    Operation.get("me", "/user", {
      description: "Returns the authenticated user.",
      scopes: ["user:read"],
      success: User
    }),
    Operation.get("get", "/users/:userId", {
      description: "Returns a user of the same organization.",
      scopes: ["user:read", "organization:read"],
      params: { userId },
      success: User
    }),
    Operation.patch("updateMe", "/user", {
      description: "Changes the authenticated user.",
      scopes: ["user:write"],
      payload: UserPatch,
      success: User
    }),
    Operation.patch("update", "/users/:userId", {
      description: "Changes a user. Only the user itself may do this.",
      scopes: ["user:write"],
      params: { userId },
      payload: UserPatch,
      success: User
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
