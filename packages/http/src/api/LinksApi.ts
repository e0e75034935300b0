/** Operations on the links of a space's content, forth and back, of main or of a change request. */
import { ContentAtUrl, ContentUrl } from "@lectern/core/link/ContentUrl"
import { Embed, EmbedUrl } from "@lectern/core/link/Embed"
import { ContentLocation, FileBacklink, Link, LinkStats, LinkStatus } from "@lectern/core/link/Link"
import { SpaceId } from "@lectern/core/space/Space"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const LinkList = Schema.Struct({ ...listOf(Link).fields, stats: LinkStats })

const query = { ...PageQuery, status: Schema.optionalKey(LinkStatus) }

const reads = <const Params extends { readonly spaceId: typeof SpaceId }, const Path extends `/${string}`>(
  path: Path,
  params: Params
) => {
  const page = { ...params, pageId: Schema.String }
  return [
    HttpApiEndpoint.get("list", `${path}/links`, { params, query, success: LinkList }),
    HttpApiEndpoint.get("ofPage", `${path}/content/page/:pageId/links`, { params: page, query, success: LinkList }),
    HttpApiEndpoint.get("toPage", `${path}/content/page/:pageId/backlinks`, {
      params: page,
      query: PageQuery,
      success: listOf(ContentLocation)
    }),
    HttpApiEndpoint.get("toFile", `${path}/content/files/:fileId/backlinks`, {
      params: { ...params, fileId: Schema.String },
      query: PageQuery,
      success: listOf(FileBacklink)
    })
  ] as const
}

export const SpaceLinksApi = HttpApiGroup.make("spaceLinks")
  .annotateMerge(
    OpenApi.annotations({
      title: "Links of a space",
      description: "What its main content links to, and what is broken."
    })
  )
  .add(...reads("/spaces/:spaceId", { spaceId: SpaceId }))
  .middleware(Authentication)
  .middleware(Failures)

export const ChangeRequestLinksApi = HttpApiGroup.make("changeRequestLinks")
  .annotateMerge(
    OpenApi.annotations({ title: "Links of a change request", description: "What a merge would make of the links." })
  )
  .add(
    ...reads("/spaces/:spaceId/change-requests/:changeRequestId", { spaceId: SpaceId, changeRequestId: Schema.String })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const ContentUrlsApi = HttpApiGroup.make("contentUrls")
  .annotateMerge(OpenApi.annotations({ title: "URLs of contents", description: "What a URL of this server leads to." }))
  .add(HttpApiEndpoint.get("find", "/urls/content", { query: ContentUrl.fields, success: ContentAtUrl }))
  .middleware(Authentication)
  .middleware(Failures)

export const EmbedsApi = HttpApiGroup.make("embeds")
  .annotateMerge(OpenApi.annotations({ title: "Embedded URLs", description: "How a URL is shown in a page." }))
  .add(
    HttpApiEndpoint.get("get", "/spaces/:spaceId/embed", {
      params: { spaceId: SpaceId },
      query: EmbedUrl.fields,
      success: Embed
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
