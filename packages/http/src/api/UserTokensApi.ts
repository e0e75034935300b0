/** The tokens of the user behind a token. */
import { MadeToken, Token, TokenCreate } from "@lectern/core/token/Token"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const params = { tokenId: Schema.String }
const one = "/user/tokens/:tokenId"

export const UserTokensApi = HttpApiGroup.make("userTokens")
  .annotateMerge(
    OpenApi.annotations({
      title: "Tokens",
      description: "The tokens of the user behind the token. What opens something is shown once, when it is made."
    })
  )
  .add(
    HttpApiEndpoint.get("list", "/user/tokens", { query: PageQuery, success: listOf(Token) }),
    HttpApiEndpoint.post("create", "/user/tokens", {
      payload: TokenCreate,
      success: MadeToken.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.get("get", one, { params, success: Token }),
    HttpApiEndpoint.delete("revoke", one, { params, success: HttpApiSchema.NoContent })
  )
  .middleware(Authentication)
  .middleware(Failures)
