/**
 * Content: of a space, of a change request, of any revision. The three have the same reads, so
 * they are one definition at three addresses.
 */
import {
  Changes,
  ComputedRevision,
  DocumentRequest,
  File,
  Page,
  PageDocument,
  PageFormat,
  PageMetaLinks,
  Pages,
  PagesRequest,
  Revision
} from "@lectern/core/content/ContentResources"
import { PublishedFileQuery } from "@lectern/core/content/files/FileUrl"
import { PageChanges } from "@lectern/core/content/pages/PageChange"
import { Signed } from "@lectern/core/identity/SignedUrl"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { SiteId } from "@lectern/core/site/Site"
import { SpaceId } from "@lectern/core/space/Space"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { RangeNotSatisfiable } from "./ErrorBody.ts"
import { Authentication, Failures } from "./Middleware.ts"

const reading = { metadata: Schema.optionalKey(Schema.Boolean), computed: Schema.optionalKey(Schema.Boolean) }

const evaluated = Schema.optionalKey(Schema.Union([Schema.Boolean, Schema.Literal("deterministic-only")]))

/** Reusable contents stand where they are included, evaluated as the rest is. */
const dereferenced = Schema.optionalKey(Schema.Union([Schema.Boolean, Schema.Literal("reusable-contents")]))

const reads = <const Params extends { readonly spaceId: typeof SpaceId }, const Path extends `/${string}`>(
  path: Path,
  params: Params
) =>
  [
    HttpApiEndpoint.get("revision", path, { params, query: reading, success: Revision }),
    HttpApiEndpoint.get("pages", `${path}/pages`, { params, query: reading, success: Pages }),
    HttpApiEndpoint.get("files", `${path}/files`, {
      params,
      query: { ...PageQuery, ...reading },
      success: listOf(File)
    }),
    HttpApiEndpoint.get("file", `${path}/files/:fileId`, {
      params: { ...params, fileId: Schema.String },
      query: reading,
      success: File
    }),
    HttpApiEndpoint.get("page", `${path}/page/:pageId`, {
      params: { ...params, pageId: Schema.String },
      query: { ...reading, format: Schema.optionalKey(PageFormat), evaluated },
      success: Page
    }),
    HttpApiEndpoint.get("document", `${path}/page/:pageId/document`, {
      params: { ...params, pageId: Schema.String },
      query: { ...reading, evaluated, dereferenced },
      success: PageDocument
    }),
    HttpApiEndpoint.get("metaLinks", `${path}/page/:pageId/meta-links`, {
      params: { ...params, pageId: Schema.String },
      success: PageMetaLinks
    }),
    /** The path is one segment: its slashes are percent-encoded. */
    HttpApiEndpoint.get("pageByPath", `${path}/path/:pagePath`, {
      params: { ...params, pagePath: Schema.String },
      query: { ...reading, format: Schema.optionalKey(PageFormat), evaluated },
      success: Page
    })
  ] as const

const changeRequest = { spaceId: SpaceId, changeRequestId: Schema.String }
const revision = { spaceId: SpaceId, revisionId: Schema.String }

export const SpaceContentApi = HttpApiGroup.make("spaceContent")
  .annotateMerge(
    OpenApi.annotations({ title: "Content of a space", description: "Its main content: revision, pages, files." })
  )
  .add(
    ...reads("/spaces/:spaceId/content", { spaceId: SpaceId }),
    HttpApiEndpoint.post("computedPages", "/spaces/:spaceId/content/computed/revision", {
      params: { spaceId: SpaceId },
      payload: PagesRequest,
      success: ComputedRevision
    }),
    HttpApiEndpoint.post("computedDocument", "/spaces/:spaceId/content/computed/document", {
      params: { spaceId: SpaceId },
      payload: DocumentRequest,
      success: PageDocument
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const ChangeRequestContentApi = HttpApiGroup.make("changeRequestContent")
  .annotateMerge(
    OpenApi.annotations({ title: "Content of a change request", description: "What it would make of the space." })
  )
  .add(...reads("/spaces/:spaceId/change-requests/:changeRequestId/content", changeRequest))
  .middleware(Authentication)
  .middleware(Failures)

export const RevisionsApi = HttpApiGroup.make("revisions")
  .annotateMerge(OpenApi.annotations({ title: "Revisions", description: "The content of a space as it was." }))
  .add(
    ...reads("/spaces/:spaceId/revisions/:revisionId", revision),
    HttpApiEndpoint.get("changes", "/spaces/:spaceId/revisions/:revisionId/changes", {
      params: revision,
      query: { limit: PageQuery.limit },
      success: Changes
    }),
    HttpApiEndpoint.get("pageChanges", "/spaces/:spaceId/revisions/:revisionId/changes/page/:pageId", {
      params: { ...revision, pageId: Schema.String },
      query: { limit: PageQuery.limit },
      success: PageChanges
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** The bytes of a file, for whoever holds its signed URL: one of a member, or one of a visitor. */
export const DownloadsApi = HttpApiGroup.make("downloads")
  .annotateMerge(OpenApi.annotations({ title: "Downloads", description: "Files, by their signed addresses." }))
  .add(
    HttpApiEndpoint.get("file", "/spaces/:spaceId/revisions/:revisionId/files/:fileId/download", {
      params: { ...revision, fileId: Schema.String },
      query: Signed.fields,
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array()),
      error: RangeNotSatisfiable
    }),
    HttpApiEndpoint.get("published", "/orgs/:organizationId/sites/:siteId/spaces/:spaceId/files/:fileId/:fileHash", {
      params: {
        organizationId: OrganizationId,
        siteId: SiteId,
        spaceId: SpaceId,
        fileId: Schema.String,
        fileHash: Schema.String
      },
      query: PublishedFileQuery.fields,
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array()),
      error: RangeNotSatisfiable
    })
  )
  .middleware(Failures)
