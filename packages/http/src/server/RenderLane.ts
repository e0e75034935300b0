/**
 * Answers renders of integrations (`POST /v1/integrations/{integrationName}/render`) ahead of the router. A page asks
 * for one for each of its blocks, and the way through the router and its middleware costs more than to ask the
 * program. What is answered is the same either way: whatever is unusual in a request goes by the router.
 *
 * Limits: bodies of 64 KiB of `application/json`, whose length is told before; requests of no other origin.
 */
import { InvalidInput } from "@lectern/core/schema/Input"
import { RenderRequest } from "@lectern/core/integration/IntegrationRender"
import { IntegrationRenders } from "@lectern/core/integration/placement/IntegrationRenders"
import { Effect, Result, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { IntegrationsApi } from "../api/IntegrationsApi.ts"
import { failureResponse } from "./Answers.ts"
import { asKeptSender, tokenOf } from "./AuthenticationHttp.ts"
import { invalidInput } from "./InvalidInput.ts"
import { drawn } from "./IntegrationsHttp.ts"
import { readInPlace } from "./RequestBody.ts"
import type { Asked } from "./ResponseCache.ts"

const maxBytes = 64 * 1024
const path = /^\/v1\/integrations\/([\w-]{1,100})\/render$/

/** Headers of which one may make a request unusual. */
const otherHeaders = ["origin", "content-encoding", "transfer-encoding", "expect", "upgrade"] as const

/** The operation, by which a token is asked for its scopes. */
const operation = { endpoint: IntegrationsApi.endpoints.renderByPost }

const decode = Schema.decodeUnknownResult(Schema.toCodecJson(RenderRequest))

/** Name of the integration that is to render; undefined for any other request, and for one that is unusual. */
export const find = ({ method, url, headers }: Asked): string | undefined => {
  if (method !== "POST" || url === undefined) return undefined
  const name = path.exec(url)?.[1]
  if (name === undefined || headers["host"] === undefined || headers["authorization"] === undefined) return undefined
  if (headers["content-type"] !== "application/json" || !isShort(headers["content-length"])) return undefined
  return otherHeaders.every((name) => headers[name] === undefined) ? name : undefined
}

const isShort = (length: Asked["headers"][string]) =>
  typeof length === "string" && /^[1-9]\d{0,5}$/.test(length) && Number(length) <= maxBytes

/** The request itself, by which those who watch tell who asks. */
export type Requires = HttpServerRequest.HttpServerRequest

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
    const read = readInPlace(body)
    return HttpServerResponse.isHttpServerResponse(read)
      ? Effect.succeed(read)
      : ask(tokenOf(request), operation, rendered(name, request.url, read.value))
  }
})
