/**
 * Answers renders of integrations (`POST /v1/integrations/{integrationName}/render`) with less around them than other
 * operations have. A page asks for one for each of its blocks, and to decode and encode them costs more than to ask the
 * program. What is answered is the same either way: whatever is unusual in a request goes the way of the others.
 *
 * Limits: those of a short request (see `RequestBody.isShort`); bodies of `application/json`; requests of no other origin.
 */
import { InvalidInput } from "@lectern/core/schema/Input"
import { RenderRequest } from "@lectern/core/integration/IntegrationRender"
import { IntegrationRenders } from "@lectern/core/integration/placement/IntegrationRenders"
import { Effect, Result, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { IntegrationsApi } from "../api/IntegrationsApi.ts"
import { failureResponse } from "./Answers.ts"
import { asKeptSender } from "./AuthenticationHttp.ts"
import { invalidInput } from "./InvalidInput.ts"
import { drawn } from "./IntegrationsHttp.ts"
import { readJson } from "./RequestBody.ts"
import type { Asked } from "./Asked.ts"

const path = /^\/v1\/integrations\/([\w-]{1,100})\/render$/

/** The operation, by which a token is asked for its scopes. */
const operation = { endpoint: IntegrationsApi.endpoints.renderByPost }

const decode = Schema.decodeUnknownResult(Schema.toCodecJson(RenderRequest))

/** Name of the integration that is to render; undefined for any other short request, and for one that is unusual. */
export const find = ({ method, url, headers }: Asked): string | undefined => {
  if (method !== "POST" || url === undefined) return undefined
  const name = path.exec(url)?.[1]
  if (name === undefined || headers["authorization"] === undefined) return undefined
  if (headers["content-type"] !== "application/json" || Number(headers["content-length"] ?? 0) === 0) return undefined
  return headers["origin"] === undefined && headers["content-encoding"] === undefined ? name : undefined
}

export const make = Effect.gen(function* () {
  const renders = yield* IntegrationRenders
  const ask = yield* asKeptSender

  const rendered = (name: string, url: string, value: unknown) =>
    // The service checks it against the schema of the endpoint, which is asked what it objects to.
    Effect.matchEffect(renders.render(name, value as RenderRequest), {
      onSuccess: (rendered) => Effect.succeed(drawn(rendered)),
      onFailure: (failure) => {
        if (failure._tag === "StorageError") return Effect.die(failure)
        const decoded = failure instanceof InvalidInput ? decode(value) : undefined
        return Effect.succeed(
          decoded !== undefined && Result.isFailure(decoded)
            ? invalidInput(url, "body", decoded.failure)
            : failureResponse(failure)
        )
      }
    })

  /** The answer of what was found, whose body is there. */
  return (name: string, request: HttpServerRequest.HttpServerRequest, body: Uint8Array) => {
    const read = readJson(request, body)
    return HttpServerResponse.isHttpServerResponse(read)
      ? Effect.succeed(read)
      : ask(request, operation, rendered(name, request.url, read.value))
  }
})
