import { Contents } from "@lectern/core/content/Contents"
import type { ContentTarget } from "@lectern/core/content/reading/LocatedRevision"
import { PageChanges } from "@lectern/core/content/changes/PageChanges"
import { type Download, Downloads } from "@lectern/core/content/files/Downloads"
import * as JsonText from "@lectern/core/schema/JsonText"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { attachment } from "./Attachment.ts"
import { conditional } from "./Conditional.ts"
import { group } from "./Group.ts"
import { rangeResponse } from "./Ranges.ts"

type Query<Method extends keyof Contents["Service"]> = NonNullable<Parameters<Contents["Service"][Method]>[2]>

/** Reusable content is always evaluated together with the page that includes it. */
const evaluatedOf = ({ evaluated, dereferenced = false }: DocumentQuery) =>
  evaluated ?? (dereferenced === false ? false : "deterministic-only")

interface DocumentQuery extends Query<"document"> {
  readonly dereferenced?: boolean | "reusable-contents"
}

interface Params {
  readonly spaceId: ContentTarget["space"]
  readonly changeRequestId?: string
  readonly revisionId?: string
}

const target = ({ spaceId, changeRequestId, revisionId }: Params): ContentTarget => ({
  space: spaceId,
  ...(changeRequestId !== undefined && { changeRequest: changeRequestId }),
  ...(revisionId !== undefined && { revision: revisionId })
})

/** Reads that spaces, change requests and revisions share. */
const reads = Effect.map(Contents, (contents) => {
  const locate = (params: Params) => contents.locate(target(params))
  return {
    revision: ({ params, query }: { readonly params: Params; readonly query: { readonly metadata?: boolean } }) =>
      conditional(locate(params), (location) => contents.revision(location, query), { holdsFiles: true }),
    pages: ({ params, query }: { readonly params: Params; readonly query: { readonly metadata?: boolean } }) =>
      conditional(locate(params), (location) => contents.pages(location, query)),
    files: ({ params, query }: { readonly params: Params; readonly query: Parameters<typeof contents.files>[1] }) =>
      conditional(locate(params), (location) => contents.files(location, query), {
        holdsFiles: true,
        part: query.page ?? "files"
      }),
    file: ({
      params,
      query
    }: {
      readonly params: Params & { readonly fileId: string }
      readonly query: { readonly metadata?: boolean }
    }) =>
      conditional(locate(params), (location) => contents.file(location, params.fileId, query), {
        holdsFiles: true,
        part: params.fileId
      }),
    page: ({
      params,
      query
    }: {
      readonly params: Params & { readonly pageId: string }
      readonly query: NonNullable<Parameters<typeof contents.page>[2]>
    }) =>
      conditional(locate(params), (location) => contents.page(location, params.pageId, query), { part: params.pageId }),
    document: ({
      params,
      query
    }: {
      readonly params: Params & { readonly pageId: string }
      readonly query: DocumentQuery
    }) => {
      const evaluated = evaluatedOf(query)
      return conditional(
        locate(params),
        (location) => contents.document(location, params.pageId, { ...query, evaluated }),
        {
          part: params.pageId
        }
      )
    },
    metaLinks: ({ params }: { readonly params: Params & { readonly pageId: string } }) =>
      conditional(locate(params), (location) => Effect.as(contents.document(location, params.pageId), {}), {
        part: params.pageId
      }),
    pageByPath: ({
      params,
      query
    }: {
      readonly params: Params & { readonly pagePath: string }
      readonly query: NonNullable<Parameters<typeof contents.page>[2]>
    }) =>
      conditional(
        locate(params),
        (location) =>
          Effect.flatMap(contents.pageAt(location, params.pagePath, query), (id) => contents.page(location, id, query)),
        { part: encodeURIComponent(params.pagePath) }
      )
  }
})

export const SpaceContentHttp = group(
  "spaceContent",
  Effect.fnUntraced(function* (handlers) {
    const contents = yield* Contents
    return handlers({
      ...(yield* reads),
      computedPages: ({ params, payload }) => contents.computedPages(params.spaceId, payload),
      computedDocument: ({ params, payload }) =>
        Effect.map(contents.computedDocument(params.spaceId, payload), (document) =>
          HttpServerResponse.text(JsonText.stringify(document), { contentType: "application/json" })
        )
    })
  })
)

export const ChangeRequestContentHttp = group(
  "changeRequestContent",
  Effect.fnUntraced(function* (handlers) {
    return handlers(yield* reads)
  })
)

export const RevisionsHttp = group(
  "revisions",
  Effect.fnUntraced(function* (handlers) {
    const contents = yield* Contents
    const pageChanges = yield* PageChanges
    return handlers({
      ...(yield* reads),
      changes: ({ params, query }) =>
        conditional(contents.locate(target(params)), (location) => contents.changes(location, query.limit), {
          holdsFiles: true,
          part: "changes"
        }),
      pageChanges: ({ params, query }) =>
        conditional(
          contents.locate(target(params)),
          (location) => pageChanges.inRevision(location, params.pageId, query.limit),
          {
            part: `changes.${params.pageId}`
          }
        )
    })
  })
)

const uncached = { "cache-control": "private, no-cache" }

/** Sends the requested bytes. Shared caches may store public files. */
const fileResponse = ({ file, bytes, isPublic }: Download) =>
  Effect.map(rangeResponse(file.blob, bytes), (response) => attachment(response, file, { isPublic }))

export const DownloadsHttp = group(
  "downloads",
  Effect.fnUntraced(function* (handlers) {
    const downloads = yield* Downloads
    return handlers({
      file: ({ params, query }) =>
        Effect.flatMap(
          downloads.ofRevision({ space: params.spaceId, revision: params.revisionId, file: params.fileId, ...query }),
          fileResponse
        ),
      published: ({ params, query }) =>
        Effect.flatMap(
          downloads.published({
            organization: params.organizationId,
            site: params.siteId,
            space: params.spaceId,
            file: params.fileId,
            hash: params.fileHash,
            ...query
          }),
          (result) =>
            "replaced" in result
              ? Effect.succeed(HttpServerResponse.redirect(result.replaced, { status: 307, headers: uncached }))
              : fileResponse(result)
        )
    })
  })
)
