/** Tokens of the authenticated user. */
import { CreatedToken, Token, TokenCreate } from "@lectern/core/token/Token"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"

const params = { tokenId: Schema.String.annotateKey({ description: "The id of the token." }) }
const itemPath = "/user/tokens/:tokenId"

export const UserTokensApi = HttpApiGroup.make("userTokens")
  .annotateMerge(
    OpenApi.annotations({
      title: "Tokens",
      description: "Tokens of the authenticated user. The secret is returned only when a token is created."
    })
  )
  .add(
    Operation.get("list", "/user/tokens", {
      description: "Lists the tokens of the user without secrets, newest first.",
      scopes: ["user:read"],
      query: PageQuery,
      success: listOf(Token)
    }),
    Operation.post("create", "/user/tokens", {
      description: "Creates a token. Only this response contains the secret.",
      scopes: ["user:write"],
      payload: TokenCreate,
      success: CreatedToken.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", itemPath, {
      description: "Returns one token of the user.",
      scopes: ["user:read"],
      params,
      success: Token
    }),
    Operation.delete("revoke", itemPath, {
      description: "Revokes a token and the tokens that were created with it.",
      scopes: ["user:write"],
      params,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
