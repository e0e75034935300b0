/** The HTTP API with mounted sites and the caches of both, without a network. */
import { MountedApp } from "@lectern/http/server/MountedApp"
import * as HttpApp from "@lectern/http/server/HttpApp"
import { ResponseCacheOptions } from "@lectern/http/server/cache/ResponseCache"
import * as WebHandler from "@lectern/http/server/WebHandler"
import { SitePages } from "@lectern/site/reading/SitePages"
import * as SiteApp from "@lectern/site/server/SiteApp"
import { Effect } from "effect"
import * as SiteCookies from "../src/server/SiteCookies.ts"

/** Creates the API with mounted sites. Responses are cached at the first request. */
export const serving = Effect.fnUntraced(function* (keptBytes: number, bytes: number) {
  const sites = yield* SiteApp.make({ cacheBytes: keptBytes }).pipe(Effect.provide(SitePages.layer))
  const urlOf = (url: string) => new URL(url, "http://127.0.0.1:4000")
  const beside = {
    route: "site",
    select: (request) => {
      if (!request.url.startsWith("/sites/")) return undefined
      const { accept, cookie } = request.headers
      return {
        cacheKey: `${SiteCookies.relevantCookies(cookie)} ${accept}`,
        respond: sites.respond({ url: urlOf(request.url) }, request)
      }
    },
    renderError: (_request, response) => Effect.succeed(response),
    reasonOf: sites.reasonOf,
    cacheHitListener: sites.viewCounter
  } satisfies MountedApp
  const app = yield* HttpApp.make.pipe(
    Effect.provideService(MountedApp, beside),
    Effect.provideService(ResponseCacheOptions, { bytes, admitFirst: true })
  )
  const answer = yield* WebHandler.make(app)
  return {
    ask: (url: string, headers: Record<string, string>, method = "GET") =>
      Effect.promise(async () => {
        const response = await answer(new Request(url, { method, headers, redirect: "manual" }))
        return {
          status: response.status,
          headers: Object.fromEntries([...response.headers].filter(([name]) => name !== "x-request-id")),
          text: await response.text()
        }
      }),
    isKept: (url: string, headers: Record<string, string>) =>
      !Effect.isEffect(app.respond(WebHandler.serverRequest(new Request(url, { headers }))))
  }
})
