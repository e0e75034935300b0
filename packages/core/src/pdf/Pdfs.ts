/**
 * Returns the URLs of PDFs, and their content. The first request of a PDF starts a job (see `PdfCreation`). Until the job
 * ends, a download returns `pending`.
 */
import { Clock, Context, Duration, Effect, Result, Layer } from "effect"
import { CurrentActor, userOf } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { ComputedContents } from "../computed/ComputedContents.ts"
import type { Sources } from "../computed/ComputedSources.ts"
import type { ChangeRequestNotFound } from "../change-request/ChangeRequest.ts"
import { ContentPageNotFound } from "../content/edits/ContentErrors.ts"
import type { Locale } from "../customization/Customization.ts"
import { Contents } from "../content/Contents.ts"
import type { ContentTarget, LocatedRevision } from "../content/reading/LocatedRevision.ts"
import type { PageEntry } from "../content/pages/Page.ts"
import { PageConditions } from "../content/pages/PageConditions.ts"
import type { RevisionNotFound } from "../content/revisions/Revisions.ts"
import type { Signed } from "../identity/SignedUrl.ts"
import { signedUrls } from "../identity/SignedUrls.ts"
import { Jobs } from "../job/Jobs.ts"
import { isUnfinished, JobId } from "../job/Job.ts"
import { InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { SpaceNotFound } from "../space/Space.ts"
import { type BlobHash, BlobStore } from "../storage/BlobStore.ts"
import { Hasher } from "../storage/Hasher.ts"
import { Storage, StorageError } from "../storage/Storage.ts"
import {
  maxStored,
  maxPending,
  PdfFailed,
  PdfId,
  PdfNotFound,
  type PdfRow,
  PdfTable,
  type PdfUrl,
  TooManyPdfs,
  urlLifetime
} from "./Pdf.ts"
import { MakePdf } from "./PdfCreation.ts"
import * as PdfSources from "./PdfSources.ts"
import { next } from "./PdfState.ts"

export interface PdfOptions {
  /** Id of a page: the PDF has this page and its descendants. Default: all pages. */
  readonly page?: string
  /** True if the PDF has only `page`, without its descendants. Default: false. */
  readonly only?: boolean
  /** Language of labels. Default: the language of the space. */
  readonly locale?: Locale
}

/** Response at the URL of a PDF. */
export type PdfDownload =
  | { readonly status: "pending" }
  | {
      readonly status: "done"
      /** File name. */
      readonly name: string
      readonly hash: BlobHash
      readonly bytes: Effect.Effect<Uint8Array, StorageError>
    }

/** Version of PDF generation. Increment it if the PDF of equal content changes. */
const generatorVersion = 5

export class Pdfs extends Context.Service<
  Pdfs,
  {
    /**
     * Returns a URL of the PDF of a content, valid for 10 minutes. Starts a job if the PDF does not exist, or failed 10
     * minutes ago or earlier.
     *
     * @throws {ChangeRequestNotFound}
     * @throws {ContentPageNotFound}
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {RevisionNotFound}
     * @throws {SpaceNotFound}
     * @throws {TooManyPdfs}
     */
    readonly url: (
      target: ContentTarget,
      options?: PdfOptions
    ) => Effect.Effect<
      PdfUrl,
      | SpaceNotFound
      | ChangeRequestNotFound
      | RevisionNotFound
      | ContentPageNotFound
      | InvalidInput
      | TooManyPdfs
      | Forbidden
      | StorageError,
      CurrentActor
    >
    /**
     * Returns the PDF of a signed URL. Anyone with the URL may read it.
     *
     * @param link.space Id of the space, from the URL.
     * @param link.revision Id of the revision, from the URL.
     * @param link.pdf Id of the PDF, from the URL.
     * @throws {PdfFailed}
     * @throws {PdfNotFound}
     */
    readonly download: (
      link: Signed & { readonly space: string; readonly revision: string; readonly pdf: string }
    ) => Effect.Effect<PdfDownload, PdfNotFound | PdfFailed | StorageError>
  }
>()("@lectern/core/pdf/Pdfs") {
  static readonly layer = Layer.effect(
    Pdfs,
    Effect.gen(function* () {
      const storage = yield* Storage
      const blobs = yield* BlobStore
      const jobs = yield* Jobs
      const hasher = yield* Hasher
      const contents = yield* Contents
      const conditions = yield* PageConditions
      const computed = yield* ComputedContents
      const urls = yield* signedUrls
      const pdfs = storage.repository(PdfTable)

      /** Returns true if the job of the PDF has not ended. */
      const isWorking = ({ job }: Pick<PdfRow, "job">) =>
        Effect.map(jobs.get(JobId.make(job)), (jobRow) => jobRow !== undefined && isUnfinished(jobRow))

      /**
       * Returns the PDF, or `pending` if its job has not ended. If the job has ended, the PDF is read again: a job
       * writes its result before it ends.
       */
      const currentPdf = Effect.fnUntraced(function* (id: PdfId) {
        const pdf = yield* pdfs.get({ id })
        if (pdf === undefined || pdf.status !== "pending") return pdf
        return (yield* isWorking(pdf)) ? ("pending" as const) : yield* pdfs.get({ id })
      })

      /**
       * Prepares the insertion of a PDF: deletes the least recently requested PDF if the space already has `maxStored`
       * PDFs. Fails if `maxPending` PDFs are pending.
       */
      const ensureCapacity = Effect.fnUntraced(function* (space: string) {
        if ((yield* pdfs.count({ space, status: "pending" })) >= maxPending) {
          return yield* new TooManyPdfs({
            message: "So many PDFs of this space are being made that another one has to wait. Try again in a while"
          })
        }
        if ((yield* pdfs.count({ space })) < maxStored) return
        const finished = { space, status: { in: ["done", "failed"] } } as const
        const [oldest] = yield* pdfs.list({ where: finished, order: ["askedAt"], limit: 1 })
        if (oldest !== undefined) yield* pdfs.remove({ id: oldest.id })
      })

      /** Requests a PDF. Starts a job if the PDF needs one, and otherwise updates `askedAt` at most once a day. */
      const request = Effect.fnUntraced(function* (fields: PdfRequest) {
        const { id } = fields
        const existing = yield* pdfs.get({ id })
        if (existing !== undefined && !(yield* wouldChange(existing))) return
        yield* storage.transaction(
          Effect.gen(function* () {
            const now = yield* Timestamps.now
            const startedBy = userOf(yield* CurrentActor) ?? undefined
            const pdf = yield* pdfs.get({ id })
            if (pdf === undefined) {
              yield* ensureCapacity(fields.space)
              const job = yield* jobs.enqueue(MakePdf, { pdf: id }, { key: id })
              yield* pdfs
                .insert({
                  ...fields,
                  ...(startedBy !== undefined && { startedBy }),
                  status: "pending",
                  job,
                  askedAt: now,
                  createdAt: now,
                  updatedAt: now
                })
                .pipe(Effect.catchTag("UniqueConflict", Effect.die))
              return
            }
            const { patch, make } = Result.getOrThrow(next(pdf, { type: "ask", working: yield* isWorking(pdf) }, now))
            const job = make ? { startedBy, job: yield* jobs.enqueue(MakePdf, { pdf: id }, { key: id }) } : {}
            if (Object.keys({ ...patch, ...job }).length > 0) yield* pdfs.update({ id }, { ...patch, ...job })
          })
        )
      })

      /** Returns true if a request of the PDF would change its row or start a job. */
      const wouldChange = Effect.fnUntraced(function* (pdf: PdfRow) {
        const working = pdf.status !== "pending" || (yield* isWorking(pdf))
        const { patch, make } = Result.getOrThrow(next(pdf, { type: "ask", working }, yield* Timestamps.now))
        return make || Object.keys(patch).length > 0
      })

      /** Returns the row for the PDF of this content and these options. */
      const requestOf = (
        { space, revision, visitor }: LocatedRevision,
        sources: Sources | undefined,
        visibilityKey: string,
        only: boolean,
        locale: Locale | undefined,
        page?: PageEntry
      ): PdfRequest => {
        const title = page?.title ?? space.title
        const view = [
          visibilityKey,
          visitor?.kind ?? null,
          sources?.key ?? "",
          space.language ?? null,
          ...(locale === undefined ? [] : [locale])
        ]
        const parts = [generatorVersion, revision.id, page?.id ?? "", only, view, title]
        return {
          id: PdfId.make(hasher.sha256(JSON.stringify(parts)).slice(0, 22)),
          space: space.id,
          revision: revision.id,
          title: title === "" ? "Untitled" : title,
          ...(page !== undefined && { page: page.id }),
          ...(only && { only: true as const }),
          ...(locale !== undefined && { locale }),
          ...(visitor !== undefined && { visitor: { claims: visitor.claims, kind: visitor.kind } }),
          ...(sources !== undefined && { sources: PdfSources.serialize(sources) })
        }
      }

      return Pdfs.of({
        url: Effect.fn("Pdfs.url")(function* (target, { page: pageId, only = false, locale } = {}) {
          const located = yield* contents.locate(target)
          if (only && pageId === undefined) {
            return yield* new InvalidInput({
              issues: [{ path: "query.page", message: "Expected the id of the page that the PDF is only of" }]
            })
          }
          const { reader: visibleReader, key } = yield* conditions.visibleContent(
            located.revision.content,
            located.visitor
          )
          const sources = yield* located.sources?.complete ?? Effect.succeed(undefined)
          const reader = yield* computed.readerFor(located.revision.content, visibleReader, sources, key)
          const page = pageId === undefined ? undefined : yield* reader.page(pageId)
          if (pageId !== undefined && page === undefined) return yield* new ContentPageNotFound({ page: pageId })
          const row = requestOf(located, sources, key, only, locale, page)
          yield* request(row)
          const expires = (yield* Clock.currentTimeMillis) + Duration.toMillis(urlLifetime)
          return { url: urls.url(downloadPath(row.space, row.revision, row.id), expires) }
        }),

        download: Effect.fn("Pdfs.download")(function* ({ space, revision, pdf: id, ...signed }) {
          if (!(yield* urls.isValid(downloadPath(space, revision, id), signed))) return yield* notFound()
          const pdf = yield* currentPdf(PdfId.make(id))
          if (pdf === undefined) return yield* notFound()
          if (pdf === "pending") return { status: "pending" as const }
          if (pdf.status !== "done") {
            const failure = pdf.failure ?? "it was tried in vain. Ask for its URL again to have it tried once more"
            return yield* new PdfFailed({ message: `The PDF can't be made: ${failure}` })
          }
          return {
            status: "done" as const,
            name: `${pdf.title}.pdf`,
            hash: pdf.blob!,
            bytes: Effect.flatMap(blobs.get(pdf.blob!), (bytes) =>
              bytes === undefined
                ? Effect.fail(new StorageError({ reason: "failed", message: `Blob ${pdf.blob} is missing` }))
                : Effect.succeed(bytes)
            )
          }
        })
      })
    })
  )
}

type PdfRequest = Omit<PdfRow, "status" | "job" | "askedAt" | "createdAt" | "updatedAt">

const downloadPath = (space: string, revision: string, pdf: string): string =>
  `/v1/spaces/${space}/revisions/${revision}/pdf/${pdf}`

const notFound = () => new PdfNotFound({ message: "There is no such PDF, or its URL has expired" })
