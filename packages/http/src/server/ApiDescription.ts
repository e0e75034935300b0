/**
 * The interface's own description, and the page to read it on. Both are made when they are first asked
 * for: by default group by group and in steps, so that nobody else waits for long, since all at once
 * would take 200 ms. A host may bring threads (`ApiDescriptions`), which also give back what it took.
 */
import { Slice } from "@lectern/core/storage/Slice"
import { Context, Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApi, HttpApiScalar, OpenApi } from "effect/http-api"
import { LecternApi } from "../api/LecternApi.ts"

type Description = ReturnType<typeof OpenApi.fromApi>

/**
 * The description of the whole interface as `OpenApi.fromApi` makes it, group by group, so that others go on
 * meanwhile.
 */
export const description: Effect.Effect<Description> = Effect.gen(function* () {
  const slice = yield* Slice.begin
  const about = () => HttpApi.make("lectern").annotateMerge(LecternApi.annotations)
  const whole = OpenApi.fromApi(about())
  for (const group of Object.values(LecternApi.groups)) {
    const part = OpenApi.fromApi(about().add(group))
    for (const [path, methods] of Object.entries(part.paths)) whole.paths[path] = { ...whole.paths[path], ...methods }
    Object.assign(whole.components.schemas, part.components.schemas)
    Object.assign(whole.components.securitySchemes, part.components.securitySchemes)
    whole.tags.push(...part.tags)
    if (slice.isOver()) yield* slice.rest
  }
  yield* slice.rest
  return whole
})

/** Nothing on the page leads away from this server, and nothing is fetched from elsewhere. */
const look: HttpApiScalar.ScalarConfig & { readonly showDeveloperTools: "never"; readonly hideClientButton: true } = {
  hideModels: true,
  withDefaultFonts: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  authentication: { preferredSecurityScheme: "bearer" }
}

/** First words of the line of the page that holds the description, in the last of the lines that have them. */
const begin = "content: "

/** As UTF-8: the description as JSON, and the page as HTML around it. */
export interface Describe {
  readonly json: Effect.Effect<Uint8Array>
  readonly page: (json: Uint8Array) => Effect.Effect<Uint8Array>
}

const json = Effect.gen(function* () {
  const text = JSON.stringify(yield* description)
  yield* Effect.yieldNow
  return encoder.encode(text)
})

const page = Effect.fnUntraced(function* (json: Uint8Array) {
  const bare = HttpApi.make("lectern").annotateMerge(LecternApi.annotations)
  const answer = yield* HttpRouter.toHttpEffect(HttpApiScalar.layer(bare, { path: "/docs", scalar: look }))
  yield* Effect.yieldNow
  const { body } = yield* Effect.provideService(answer, HttpServerRequest.HttpServerRequest, asked)
  yield* Effect.yieldNow
  const html = body._tag === "Uint8Array" ? decoder.decode(body.body) : ""
  yield* Effect.yieldNow
  const at = html.lastIndexOf(`${begin}{`)
  const text = decoder.decode(json).replaceAll("<", "\\u003c")
  const whole = `${html.slice(0, at)}${begin}${text}${html.slice(html.indexOf("\n", at))}`
  yield* Effect.yieldNow
  return encoder.encode(whole)
}, Effect.scoped)

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const asked = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))

export const inSteps: Describe = { json, page: (json) => Effect.orDie(page(json)) }

export const ApiDescriptions = Context.Reference<Describe>("@lectern/http/server/ApiDescription", {
  defaultValue: () => inSteps
})
