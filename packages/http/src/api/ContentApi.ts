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
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { RangeNotSatisfiable } from "./ErrorBody.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { changeRequestId, fileHash, fileId, organizationId, pageId, revisionId, siteId, spaceId } from "./Parameters.ts"

const reading = {
  metadata: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "`false`: leaves out what Git knows of pages and files. Default: `true`."
  }),
  computed: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "`false`: shows the page that stands for computed pages, and not those. Default: `true`."
  })
}

const format = Schema.optionalKey(PageFormat).annotateKey({
  description: "The form of documents: `markdown`, or `document` for blocks."
})

const evaluated = Schema.optionalKey(Schema.Union([Schema.Boolean, Schema.Literal("deterministic-only")])).annotateKey({
  description: "Puts the values of expressions in their place, and leaves out what conditions hide."
})

/** Included contents are evaluated as the rest is. */
const dereferenced = Schema.optionalKey(
  Schema.Union([Schema.Boolean, Schema.Literal("reusable-contents")])
).annotateKey({
  description: "Puts reusable contents in the place of the blocks that include them."
})

const reads = <const Params extends { readonly spaceId: typeof spaceId }, const Path extends `/${string}`>(
  path: Path,
  params: Params,
  what: string
) =>
  [
    Operation.get("revision", path, {
      description: `Shows the revision of ${what}, with its pages and files.`,
      scopes: ["space:content:read"],
      conditions: "held",
      params,
      query: reading,
      success: Revision
    }),
    Operation.get("pages", `${path}/pages`, {
      description: `Shows the tree of pages of ${what}, without their documents.`,
      scopes: ["space:content:read"],
      conditions: "held",
      params,
      query: reading,
      success: Pages
    }),
    Operation.get("files", `${path}/files`, {
      description: `Lists the files of ${what}.`,
      scopes: ["space:content:read"],
      conditions: "held",
      params,
      query: { ...PageQuery, ...reading },
      success: listOf(File)
    }),
    Operation.get("file", `${path}/files/:fileId`, {
      description: `Shows one file of ${what}, with the URL to fetch it from.`,
      scopes: ["space:content:read"],
      conditions: "held",
      params: { ...params, fileId },
      query: reading,
      success: File
    }),
    Operation.get("page", `${path}/page/:pageId`, {
      description: `Shows one page of ${what} with its document, as Markdown unless asked otherwise.`,
      scopes: ["space:content:read"],
      conditions: "held",
      params: { ...params, pageId },
      query: { ...reading, format, evaluated },
      success: Page
    }),
    Operation.get("document", `${path}/page/:pageId/document`, {
      description: `Shows the document of one page of ${what}, and nothing around it.`,
      scopes: ["space:content:read"],
      conditions: "held",
      params: { ...params, pageId },
      query: { ...reading, evaluated, dereferenced },
      success: PageDocument
    }),
    Operation.get("metaLinks", `${path}/page/:pageId/meta-links`, {
      description: `Shows other URLs of one page of ${what}, for the head of HTML.`,
      scopes: ["space:content:read"],
      conditions: "held",
      params: { ...params, pageId },
      success: PageMetaLinks
    }),
    /** The path is one segment: its slashes are percent-encoded. */
    Operation.get("pageByPath", `${path}/path/:pagePath`, {
      description: `Shows the page of ${what} that stands at a path.`,
      scopes: ["space:content:read"],
      conditions: "held",
      params: {
        ...params,
        pagePath: Schema.String.annotateKey({
          description: "The path of the page, such as `guides%2Fstart`: its slashes are encoded."
        })
      },
      query: { ...reading, format, evaluated },
      success: Page
    })
  ] as const

const changeRequest = { spaceId, changeRequestId }
const revision = { spaceId, revisionId }

export const SpaceContentApi = HttpApiGroup.make("spaceContent")
  .annotateMerge(
    OpenApi.annotations({ title: "Content of a space", description: "Its main content: revision, pages, files." })
  )
  .add(
    ...reads("/spaces/:spaceId/content", { spaceId }, "what a space shows"),
    Operation.post("computedPages", "/spaces/:spaceId/content/computed/revision", {
      description: "Shows the pages that one source computes in a space, and its files.",
      scopes: ["space:content:read"],
      params: { spaceId },
      payload: PagesRequest,
      success: ComputedRevision
    }),
    Operation.post("computedDocument", "/spaces/:spaceId/content/computed/document", {
      description: "Shows the document of one page that a source computes in a space.",
      scopes: ["space:content:read"],
      params: { spaceId },
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
  .add(...reads("/spaces/:spaceId/change-requests/:changeRequestId/content", changeRequest, "a change request"))
  .middleware(Authentication)
  .middleware(Failures)

export const RevisionsApi = HttpApiGroup.make("revisions")
  .annotateMerge(OpenApi.annotations({ title: "Revisions", description: "The content of a space as it was." }))
  .add(
    ...reads("/spaces/:spaceId/revisions/:revisionId", revision, "a revision"),
    Operation.get("changes", "/spaces/:spaceId/revisions/:revisionId/changes", {
      description: "Lists the pages and files that a revision changes, against the one that it came from.",
      scopes: ["space:content:read"],
      conditions: "held",
      params: revision,
      query: { limit: PageQuery.limit },
      success: Changes
    }),
    Operation.get("pageChanges", "/spaces/:spaceId/revisions/:revisionId/changes/page/:pageId", {
      description: "Shows what a revision changes in one page.",
      scopes: ["space:content:read"],
      conditions: "held",
      params: { ...revision, pageId },
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
    Operation.get("file", "/spaces/:spaceId/revisions/:revisionId/files/:fileId/download", {
      description: "Sends the bytes of a file, to whoever has a URL that is signed.",
      scopes: [],
      conditions: "ranges",
      params: { ...revision, fileId },
      query: Signed.fields,
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array()),
      error: RangeNotSatisfiable
    }),
    Operation.get("published", "/orgs/:organizationId/sites/:siteId/spaces/:spaceId/files/:fileId/:fileHash", {
      description: "Sends the bytes of a file of a published site.",
      scopes: [],
      conditions: "replaced",
      params: {
        organizationId,
        siteId,
        spaceId,
        fileId,
        fileHash
      },
      query: PublishedFileQuery.fields,
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array()),
      error: RangeNotSatisfiable
    })
  )
  .middleware(Failures)
