/**
 * Fast path for rendering by integrations (`POST /v1/integrations/{integrationName}/render`). A page requests a
 * rendering for each of its blocks, and decoding and encoding cost more than the call of the integration. Responses are
 * the same as for other operations; an unusual request takes the usual path.
 *
 * Limits: those of a short request (see `RequestBody.isShort`); bodies of `application/json`; no cross-origin requests.
 */
import { InvalidInput } from "@lectern/core/schema/Input"
import { RenderRequest } from "@lectern/core/integration/IntegrationRender"
import { IntegrationRenders } from "@lectern/core/integration/placement/IntegrationRenders"
import { Effect, Result, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { IntegrationsApi } from "../api/IntegrationsApi.ts"
import { failureResponse } from "./Responses.ts"
import { asCachedSender } from "./AuthenticationHttp.ts"
import { invalidInput } from "./InvalidInput.ts"
import { renderResponse } from "./IntegrationsHttp.ts"
import { readJson } from "./RequestBody.ts"
import type { RequestHead } from "./RequestHead.ts"

const path = /^\/v1\/integrations\/([\w-]{1,100})\/render$/

/** Operation whose scopes a token needs. */
const operation = { endpoint: IntegrationsApi.endpoints.renderByPost }

const decode = Schema.decodeUnknownResult(Schema.toCodecJson(RenderRequest))

/** Returns the name of the integration; `undefined` if the request takes the usual path. */
export const integrationOf = ({ method, url, headers }: RequestHead): string | undefined => {
  if (method !== "POST" || url === undefined) return undefined
  const name = path.exec(url)?.[1]
  if (name === undefined || headers["authorization"] === undefined) return undefined
  if (headers["content-type"] !== "application/json" || Number(headers["content-length"] ?? 0) === 0) return undefined
  return headers["origin"] === undefined && headers["content-encoding"] === undefined ? name : undefined
}

export const make = Effect.gen(function* () {
  const renders = yield* IntegrationRenders
  const asSender = yield* asCachedSender

  const rendered = (name: string, url: string, value: unknown) =>
    // The service validates the request. The schema runs only to report the issues of an invalid one.
    Effect.matchEffect(renders.render(name, value as RenderRequest), {
      onSuccess: (rendered) => Effect.succeed(renderResponse(rendered)),
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

  /** Handles the request of `integrationOf` with its body. */
  return (name: string, request: HttpServerRequest.HttpServerRequest, body: Uint8Array) => {
    const read = readJson(request, body)
    return HttpServerResponse.isHttpServerResponse(read)
      ? Effect.succeed(read)
      : asSender(request, operation, rendered(name, request.url, read.value))
  }
})
