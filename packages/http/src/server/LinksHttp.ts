import { ContentUrls } from "@lectern/core/link/ContentUrls"
import { Links, type LinkScope } from "@lectern/core/link/Links"
import { Effect } from "effect"
import { group } from "./Group.ts"

interface Params {
  readonly spaceId: LinkScope["space"]
  readonly changeRequestId?: string
}

const scope = ({ spaceId, changeRequestId }: Params): LinkScope => ({
  space: spaceId,
  ...(changeRequestId !== undefined && { changeRequest: changeRequestId })
})

/** Handlers that spaces and change requests share. */
const reads = Effect.map(Links, (links) => ({
  list: ({ params, query }: SharedRequest<object, Parameters<typeof links.ofSpace>[1]>) =>
    links.ofSpace(scope(params), query),
  ofPage: ({ params, query }: SharedRequest<{ readonly pageId: string }, Parameters<typeof links.ofPage>[2]>) =>
    links.ofPage(scope(params), params.pageId, query),
  toPage: ({ params, query }: SharedRequest<{ readonly pageId: string }, Parameters<typeof links.toPage>[2]>) =>
    links.toPage(scope(params), params.pageId, query),
  toFile: ({ params, query }: SharedRequest<{ readonly fileId: string }, Parameters<typeof links.toFile>[2]>) =>
    links.toFile(scope(params), params.fileId, query)
}))

interface SharedRequest<Named, Query> {
  readonly params: Params & Named
  readonly query: Query
}

export const SpaceLinksHttp = group(
  "spaceLinks",
  Effect.fnUntraced(function* (handlers) {
    return handlers(yield* reads)
  })
)

export const ChangeRequestLinksHttp = group(
  "changeRequestLinks",
  Effect.fnUntraced(function* (handlers) {
    return handlers(yield* reads)
  })
)

export const ContentUrlsHttp = group(
  "contentUrls",
  Effect.fnUntraced(function* (handlers) {
    const urls = yield* ContentUrls
    return handlers({ find: ({ query }) => urls.find(query.url) })
  })
)

export const EmbedsHttp = group(
  "embeds",
  Effect.fnUntraced(function* (handlers) {
    const urls = yield* ContentUrls
    return handlers({
      get: ({ params, query }) => urls.embedInSpace(params.spaceId, query.url),
      find: ({ query }) => urls.embed(query.url)
    })
  })
)
