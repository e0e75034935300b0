import { ContentUrls } from "@lectern/core/link/ContentUrls"
import { Embeds } from "@lectern/core/link/Embeds"
import { Links, type LinkScope } from "@lectern/core/link/Links"
import { Effect } from "effect"
import { LecternApi } from "../api/LecternApi.ts"
import { registerHandlers } from "./Responses.ts"
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
  LecternApi,
  "spaceLinks",
  Effect.fnUntraced(function* (handlers) {
    return registerHandlers(handlers, yield* reads)
  })
)

export const ChangeRequestLinksHttp = group(
  LecternApi,
  "changeRequestLinks",
  Effect.fnUntraced(function* (handlers) {
    return registerHandlers(handlers, yield* reads)
  })
)

export const ContentUrlsHttp = group(
  LecternApi,
  "contentUrls",
  Effect.fnUntraced(function* (handlers) {
    const urls = yield* ContentUrls
    return registerHandlers(handlers, { find: ({ query }) => urls.find(query.url) })
  })
)

export const EmbedsHttp = group(
  LecternApi,
  "embeds",
  Effect.fnUntraced(function* (handlers) {
    const embeds = yield* Embeds
    return registerHandlers(handlers, {
      get: ({ params, query }) => embeds.of(params.spaceId, query.url),
      find: ({ query }) => embeds.anywhere(query.url)
    })
  })
)
