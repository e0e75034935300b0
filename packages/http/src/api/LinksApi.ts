/** Links and backlinks of the content of a space or of a change request. */
import { ContentAtUrl, ContentUrl } from "@lectern/core/link/ContentUrl"
import { Embed, EmbedUrl } from "@lectern/core/link/Embed"
import { ContentLocation, FileBacklink, Link, LinkStats, LinkStatus } from "@lectern/core/link/Link"
import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { changeRequestId, fileId, pageId, spaceId } from "./Parameters.ts"

const LinkList = Schema.Struct({ ...listOf(Link).fields, stats: LinkStats })

const query = {
  ...PageQuery,
  status: Schema.optionalKey(LinkStatus).annotateKey({ description: "Only links with this status." })
}

const reads = <const Params extends { readonly spaceId: typeof spaceId }, const Path extends `/${string}`>(
  path: Path,
  params: Params,
  subject: string
) => {
  const page = { ...params, pageId }
  return [
    Operation.get("list", `${path}/links`, {
      description: `Lists the links of all pages of ${subject}, with their statuses.`,
      scopes: ["space:content:read"],
      params,
      query,
      success: LinkList
    }),
    Operation.get("ofPage", `${path}/content/page/:pageId/links`, {
      description: `Lists the links of one page of ${subject}, with their statuses.`,
      scopes: ["space:content:read"],
      params: page,
      query,
      success: LinkList
    }),
    Operation.get("toPage", `${path}/content/page/:pageId/backlinks`, {
      description: `Lists the pages of ${subject} that link to a page.`,
      scopes: ["space:content:read"],
      params: page,
      query: PageQuery,
      success: listOf(ContentLocation)
    }),
    Operation.get("toFile", `${path}/content/files/:fileId/backlinks`, {
      description: `Lists the pages of ${subject} that embed a file or link to it.`,
      scopes: ["space:content:read"],
      params: { ...params, fileId },
      query: PageQuery,
      success: listOf(FileBacklink)
    })
  ] as const
}

export const SpaceLinksApi = HttpApiGroup.make("spaceLinks")
  .annotateMerge(
    OpenApi.annotations({
      title: "Links of a space",
      description: "Links of the main content, including broken ones."
    })
  )
  .add(...reads("/spaces/:spaceId", { spaceId }, "a space"))
  .middleware(Authentication)
  .middleware(Failures)

export const ChangeRequestLinksApi = HttpApiGroup.make("changeRequestLinks")
  .annotateMerge(
    OpenApi.annotations({
      title: "Links of a change request",
      description: "Links of the content of a change request."
    })
  )
  .add(...reads("/spaces/:spaceId/change-requests/:changeRequestId", { spaceId, changeRequestId }, "a change request"))
  .middleware(Authentication)
  .middleware(Failures)

export const ContentUrlsApi = HttpApiGroup.make("contentUrls")
  .annotateMerge(OpenApi.annotations({ title: "URLs of contents", description: "Resolution of URLs of this server." }))
  .add(
    Operation.get("find", "/urls/content", {
      description: "Returns the content that a URL refers to.",
      scopes: ["space:metadata:read", "space:content:read"],
      query: ContentUrl.fields,
      success: ContentAtUrl
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const EmbedsApi = HttpApiGroup.make("embeds")
  .annotateMerge(OpenApi.annotations({ title: "Embedded URLs", description: "Previews of embedded URLs." }))
  .add(
    Operation.get("get", "/spaces/:spaceId/embed", {
      description: "Returns the preview of a URL that is embedded in a page of a space.",
      scopes: ["space:content:read"],
      params: { spaceId },
      query: EmbedUrl.fields,
      success: Embed
    }),
    Operation.get("find", "/urls/embed", {
      description: "Returns the preview of an embedded URL, independent of a space.",
      scopes: ["space:content:read"],
      query: EmbedUrl.fields,
      success: Embed
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
