/** Content of a space, a change request or a revision. The three have equal reads, defined once. */
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
    description: "`false`: without Git metadata of pages and files. Default: `true`."
  }),
  computed: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "`false`: the placeholder page instead of computed pages. Default: `true`."
  })
}

const format = Schema.optionalKey(PageFormat).annotateKey({
  description: "The format of documents: `markdown`, or `document` for blocks."
})

const evaluated = Schema.optionalKey(Schema.Union([Schema.Boolean, Schema.Literal("deterministic-only")])).annotateKey({
  description: "Replaces expressions by their values, and removes blocks that conditions hide."
})

/** Inserted contents are evaluated like the page. */
const dereferenced = Schema.optionalKey(
  Schema.Union([Schema.Boolean, Schema.Literal("reusable-contents")])
).annotateKey({
  description: "Replaces blocks that include reusable contents by these contents."
})

const reads = <const Params extends { readonly spaceId: typeof spaceId }, const Path extends `/${string}`>(
  path: Path,
  params: Params,
  subject: string
) =>
  [
    Operation.get("revision", path, {
      description: `Returns the content of ${subject}: revision, pages and files.`,
      scopes: ["space:content:read"],
      conditions: "held",
      params,
      query: reading,
      success: Revision
    }),
    Operation.get("pages", `${path}/pages`, {
      description: `Returns the page tree of ${subject}, without documents.`,
      scopes: ["space:content:read"],
      conditions: "held",
      params,
      query: reading,
      success: Pages
    }),
    Operation.get("files", `${path}/files`, {
      description: `Lists the files of ${subject}.`,
      scopes: ["space:content:read"],
      conditions: "held",
      params,
      query: { ...PageQuery, ...reading },
      success: listOf(File)
    }),
    Operation.get("file", `${path}/files/:fileId`, {
      description: `Returns one file of ${subject}, with its download URL.`,
      scopes: ["space:content:read"],
      conditions: "held",
      params: { ...params, fileId },
      query: reading,
      success: File
    }),
    Operation.get("page", `${path}/page/:pageId`, {
      description: `Returns one page of ${subject} with its document, as Markdown by default.`,
      scopes: ["space:content:read"],
      conditions: "held",
      params: { ...params, pageId },
      query: { ...reading, format, evaluated },
      success: Page
    }),
    Operation.get("document", `${path}/page/:pageId/document`, {
      description: `Returns only the document of one page of ${subject}.`,
      scopes: ["space:content:read"],
      conditions: "held",
      params: { ...params, pageId },
      query: { ...reading, evaluated, dereferenced },
      success: PageDocument
    }),
    Operation.get("metaLinks", `${path}/page/:pageId/meta-links`, {
      description: `Returns related URLs of one page of ${subject}, for an HTML head.`,
      scopes: ["space:content:read"],
      conditions: "held",
      params: { ...params, pageId },
      success: PageMetaLinks
    }),
    /** The path is one segment, so its slashes are percent-encoded. */
    Operation.get("pageByPath", `${path}/path/:pagePath`, {
      description: `Returns the page of ${subject} at a path.`,
      scopes: ["space:content:read"],
      conditions: "held",
      params: {
        ...params,
        pagePath: Schema.String.annotateKey({
          description: "The path of the page with percent-encoded slashes, such as `guides%2Fstart`."
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
    OpenApi.annotations({
      title: "Content of a space",
      description: "The main content of a space: revision, pages, files."
    })
  )
  .add(
    ...reads("/spaces/:spaceId/content", { spaceId }, "a space"),
    Operation.post("computedPages", "/spaces/:spaceId/content/computed/revision", {
      description: "Returns the pages and files that one source computes in a space.",
      scopes: ["space:content:read"],
      params: { spaceId },
      payload: PagesRequest,
      success: ComputedRevision
    }),
    Operation.post("computedDocument", "/spaces/:spaceId/content/computed/document", {
      description: "Returns the document of one page that a source computes in a space.",
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
    OpenApi.annotations({
      title: "Content of a change request",
      description: "The content of a space as proposed by a change request."
    })
  )
  .add(...reads("/spaces/:spaceId/change-requests/:changeRequestId/content", changeRequest, "a change request"))
  .middleware(Authentication)
  .middleware(Failures)

export const RevisionsApi = HttpApiGroup.make("revisions")
  .annotateMerge(
    OpenApi.annotations({ title: "Revisions", description: "The content of a space at a point of its history." })
  )
  .add(
    ...reads("/spaces/:spaceId/revisions/:revisionId", revision, "a revision"),
    Operation.get("changes", "/spaces/:spaceId/revisions/:revisionId/changes", {
      description: "Lists the pages and files that a revision changes, compared with its parent.",
      scopes: ["space:content:read"],
      conditions: "held",
      params: revision,
      query: { limit: PageQuery.limit },
      success: Changes
    }),
    Operation.get("pageChanges", "/spaces/:spaceId/revisions/:revisionId/changes/page/:pageId", {
      description: "Returns the changes of a revision to one page.",
      scopes: ["space:content:read"],
      conditions: "held",
      params: { ...revision, pageId },
      query: { limit: PageQuery.limit },
      success: PageChanges
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** Bytes of a file, for clients with its signed URL. */
export const DownloadsApi = HttpApiGroup.make("downloads")
  .annotateMerge(OpenApi.annotations({ title: "Downloads", description: "Files by signed URL." }))
  .add(
    Operation.get("file", "/spaces/:spaceId/revisions/:revisionId/files/:fileId/download", {
      description: "Returns the bytes of a file. Requires a signed URL.",
      scopes: [],
      conditions: "ranges",
      params: { ...revision, fileId },
      query: Signed.fields,
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array()),
      error: RangeNotSatisfiable
    }),
    Operation.get("published", "/orgs/:organizationId/sites/:siteId/spaces/:spaceId/files/:fileId/:fileHash", {
      description: "Returns the bytes of a file of a published site.",
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
