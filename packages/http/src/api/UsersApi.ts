/** The user behind a token. */
import { User } from "@lectern/core/user/User"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication, Failures } from "./Middleware.ts"

export const UsersApi = HttpApiGroup.make("users")
  .annotateMerge(OpenApi.annotations({ title: "Users", description: "The user behind the token." }))
  .add(HttpApiEndpoint.get("me", "/user", { success: User }))
  .middleware(Authentication)
  .middleware(Failures)
