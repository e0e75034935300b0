/** Pictures and other files of pages, at the URLs that pages link to. The API of a server has these URLs too. */
import { Downloads } from "@lectern/core/content/files/Downloads"
import { PublishedFileQuery } from "@lectern/core/content/files/FileUrl"
import { attachment } from "@lectern/http/server/Attachment"
import { rangeResponse } from "@lectern/http/server/Ranges"
import { Effect, Schema } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"

const pathPattern = /^\/v1\/orgs\/([^/]+)\/sites\/([^/]+)\/spaces\/([^/]+)\/files\/([^/]+)\/([^/]+)$/

/** Returns a function that responds with a file. Its result is undefined for other URLs. */
export const make = Effect.gen(function* () {
  const downloads = yield* Downloads
  const context = yield* Effect.context<never>()

  const respond = Effect.fnUntraced(
    function* ([, organization = "", site = "", space = "", file = "", hash = ""]: RegExpExecArray, url: URL) {
      const query = yield* Schema.decodeUnknownEffect(PublishedFileQuery)(Object.fromEntries(url.searchParams))
      const result = yield* downloads.published({ organization, site, space, file, hash, ...query })
      if ("replaced" in result) return HttpServerResponse.redirect(result.replaced, { status: 307 })
      return attachment(yield* rangeResponse(result.file.blob, result.bytes), result.file)
    },
    Effect.catch(() => Effect.succeed(HttpServerResponse.text("No such file\n", { status: 404 })))
  )

  return (request: Request): Promise<Response> | undefined => {
    const url = new URL(request.url)
    const match = pathPattern.exec(url.pathname)
    return match === null
      ? undefined
      : HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest>(context)(respond(match, url))(request)
  }
})
