/** The tokens of the user behind a token. */
import { MadeToken, Token, TokenCreate } from "@lectern/core/token/Token"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"

const params = { tokenId: Schema.String.annotateKey({ description: "The id of the token." }) }
const one = "/user/tokens/:tokenId"

export const UserTokensApi = HttpApiGroup.make("userTokens")
  .annotateMerge(
    OpenApi.annotations({
      title: "Tokens",
      description: "The tokens of the user behind the token. What opens something is shown once, when it is made."
    })
  )
  .add(
    Operation.get("list", "/user/tokens", {
      description: "Lists the tokens of the user, the newest first, without what they open.",
      scopes: ["user:read"],
      query: PageQuery,
      success: listOf(Token)
    }),
    Operation.post("create", "/user/tokens", {
      description: "Makes a token; what opens something stands in this answer alone.",
      scopes: ["user:write"],
      payload: TokenCreate,
      success: MadeToken.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", one, {
      description: "Shows one token of the user.",
      scopes: ["user:read"],
      params,
      success: Token
    }),
    Operation.delete("revoke", one, {
      description: "Revokes a token, and those that were made with it.",
      scopes: ["user:write"],
      params,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
