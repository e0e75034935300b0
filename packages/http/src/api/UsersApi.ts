/** The user behind a token, and those it works with. */
import { User, UserPatch } from "@lectern/core/user/User"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { userId } from "./Parameters.ts"

export const UsersApi = HttpApiGroup.make("users")
  .annotateMerge(
    OpenApi.annotations({ title: "Users", description: "The user behind the token, and those it works with." })
  )
  .add(
    Operation.get("me", "/user", {
      description: "Shows the user behind the token.",
      scopes: ["user:read"],
      success: User
    }),
    Operation.get("get", "/users/:userId", {
      description: "Shows a user who shares an organization with the one behind the token.",
      scopes: ["user:read", "organization:read"],
      params: { userId },
      success: User
    }),
    Operation.patch("updateMe", "/user", {
      description: "Changes the user behind the token.",
      scopes: ["user:write"],
      payload: UserPatch,
      success: User
    }),
    Operation.patch("update", "/users/:userId", {
      description: "Changes a user, which only that user may.",
      scopes: ["user:write"],
      params: { userId },
      payload: UserPatch,
      success: User
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
