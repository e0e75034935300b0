/**
 * The interface's own description, and the page to read it on. Both are made when they are first asked
 * for, group by group and in steps, so that nobody else waits: all at once would take 200 ms.
 */
import { Slice } from "@lectern/core/storage/Slice"
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApi, HttpApiScalar, OpenApi } from "effect/http-api"
import { LecternApi } from "../api/LecternApi.ts"

type Description = ReturnType<typeof OpenApi.fromApi>

/** What `OpenApi.fromApi` makes of the whole. */
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

/** The same as JSON: 1 MB of text. */
export const json = Effect.gen(function* () {
  const text = JSON.stringify(yield* description)
  yield* Effect.yieldNow
  return text
})

/** Nothing on the page leads away from this server, and nothing is fetched from elsewhere. */
const look: HttpApiScalar.ScalarConfig & { readonly showDeveloperTools: "never"; readonly hideClientButton: true } = {
  hideModels: true,
  withDefaultFonts: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  authentication: { preferredSecurityScheme: "bearer" }
}

/** What the description begins with that the page has of an interface without anything in it: the last of its lines that do. */
const begin = "content: "

/** The page, as HTML, around a description. */
export const page = Effect.fnUntraced(function* (json: string) {
  const bare = HttpApi.make("lectern").annotateMerge(LecternApi.annotations)
  const answer = yield* HttpRouter.toHttpEffect(HttpApiScalar.layer(bare, { path: "/docs", scalar: look }))
  yield* Effect.yieldNow
  const { body } = yield* answer
  yield* Effect.yieldNow
  const html = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
  yield* Effect.yieldNow
  const at = html.lastIndexOf(`${begin}{`)
  return `${html.slice(0, at)}${begin}${json.replaceAll("<", "\\u003c")}${html.slice(html.indexOf("\n", at))}`
}, Effect.scoped)
