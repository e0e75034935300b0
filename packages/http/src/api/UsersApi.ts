/** The user behind a token, and those it works with. */
import { User, UserId, UserPatch } from "@lectern/core/user/User"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication, Failures } from "./Middleware.ts"

export const UsersApi = HttpApiGroup.make("users")
  .annotateMerge(
    OpenApi.annotations({ title: "Users", description: "The user behind the token, and those it works with." })
  )
  .add(
    HttpApiEndpoint.get("me", "/user", { success: User }),
    HttpApiEndpoint.get("get", "/users/:userId", { params: { userId: UserId }, success: User }),
    HttpApiEndpoint.patch("updateMe", "/user", { payload: UserPatch, success: User }),
    HttpApiEndpoint.patch("update", "/users/:userId", {
      params: { userId: UserId },
      payload: UserPatch,
      success: User
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
