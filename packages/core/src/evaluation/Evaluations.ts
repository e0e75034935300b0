/**
 * Presents documents of a content (see `PresentDocument`), in threads if they are large: loads the content that a document
 * includes, recursively.
 *
 * Limits: 200 pieces of reusable content and 16 MiB of them for a document; further includes count as too large. A
 * document whose evaluation takes too long is shown to members unevaluated, and to visitors as empty, since it may
 * contain hidden parts.
 */
import { Effect } from "effect"
import type { IntegrationLink, LinkResults } from "@lectern/document/integration-blocks/IntegrationBlocks"
import type { ContentReader } from "../content/ContentReader.ts"
import type { PageEntry } from "../content/pages/Page.ts"
import * as StoredDocument from "../content/documents/StoredDocument.ts"
import type { StorageError } from "../storage/Storage.ts"
import * as Fallback from "../thread/Fallback.ts"
import type { Threads, TooCostly } from "../thread/Threads.ts"
import * as DocumentEvaluation from "@lectern/document/DocumentEvaluation"
import {
  type BlockRendering,
  type Included,
  isDynamic,
  mayHaveAnchors,
  mayContainBlocks,
  type EvaluationSetting,
  PresentDocument,
  type PresentedDocument,
  type VisitorForm
} from "./PresentDocument.ts"

/** Parts to evaluate: true = all; false = no parts; `deterministic-only` = parts that are equal for all readers. */
export type Evaluated = boolean | "deterministic-only"

const maxIncludes = 200
const maxIncludedBytes = 16 * 1024 * 1024

/** Stands for an include beyond the limits, and is reported as too large. */
const tooLargeInclude: Included = { document: StoredDocument.empty, bytes: Infinity }

export interface PresentOptions {
  readonly evaluated: Evaluated
  readonly space: string
  readonly page: PageEntry
  /** Claims of the visitor; undefined for a member, who has none. */
  readonly claims: { readonly [name: string]: unknown } | undefined
  /** Form for a visitor; undefined for a member. */
  readonly visitor: VisitorForm | undefined
  /** True for a page that is computed from a specification. Default: false. */
  readonly isFromSpec?: boolean
  /** Anchors of other pages by URL, which also enables anchors of the document's headings. Default: no anchors. */
  readonly anchors?: ReadonlyMap<string, string>
  /** Default: blocks of integrations stay as stored. */
  readonly rendering?: BlockRendering & {
    /** Looks up links that the blocks of integrations accept. */
    readonly lookUpLinks: (links: ReadonlyArray<IntegrationLink>) => Effect.Effect<LinkResults, StorageError>
  }
}

type Content = Pick<ContentReader, "reusableContent" | "document" | "variables">

/** Returns the document for a reader. */
export const present = (
  threads: Threads["Service"],
  content: Content,
  document: StoredDocument.StoredDocument,
  options: PresentOptions
): Effect.Effect<PresentedDocument, StorageError> =>
  Fallback.withFallback(
    "A document could not be evaluated",
    presentDocument(threads, content, document, options),
    Effect.succeed(
      options.visitor === undefined
        ? unchanged
        : { document: StoredDocument.empty, readsClaims: options.claims !== undefined }
    )
  )

const unchanged: PresentedDocument = { document: undefined, readsClaims: false }

const presentDocument = Effect.fnUntraced(function* (
  threads: Threads["Service"],
  content: Content,
  document: StoredDocument.StoredDocument,
  { visitor, isFromSpec, anchors, rendering, ...options }: PresentOptions
): Effect.fn.Return<PresentedDocument, TooCostly | StorageError> {
  const setting = yield* evaluationOf(content, document, options)
  const isUnchanged =
    visitor === undefined &&
    !mayContainBlocks(document, rendering) &&
    (anchors === undefined || (anchors.size === 0 && !mayHaveAnchors(document)))
  if (setting === undefined && isUnchanged) return unchanged
  const included = new Map<string, Included | undefined>()
  const blockRendering = rendering && { blocks: rendering.blocks, replacesContent: rendering.replacesContent }
  let knownLinks: LinkResults | undefined
  const remaining = { pieces: maxIncludes, bytes: maxIncludedBytes }
  for (let depth = 0; ; depth++) {
    const mayLoadMore = depth < DocumentEvaluation.maxIncludes
    const step = yield* threads.run(PresentDocument, {
      document,
      setting,
      included,
      mayLoadMore,
      visitor,
      ...(isFromSpec !== undefined && { isFromSpec }),
      anchors,
      rendering: blockRendering,
      knownLinks
    })
    if ("links" in step) {
      knownLinks = yield* rendering!.lookUpLinks(step.links)
      continue
    }
    if (!("missing" in step)) return step
    for (const id of step.missing) included.set(id, yield* loadIncludedContent(content, id, remaining))
  }
})

/** Returns the parameters of the evaluation; undefined if the document has nothing to evaluate. */
export const evaluationOf = Effect.fnUntraced(function* (
  content: Pick<ContentReader, "variables">,
  document: StoredDocument.StoredDocument,
  { evaluated, space, page, claims }: Omit<PresentOptions, "visitor" | "rendering">
): Effect.fn.Return<EvaluationSetting | undefined, StorageError> {
  if (evaluated === false && claims === undefined) return undefined
  if (StoredDocument.isSmall(document) && !isDynamic(StoredDocument.parseDocument(document))) return undefined
  return {
    mode: evaluated === true ? "all" : evaluated === false ? "hidden" : "deterministic",
    space,
    evaluatesClaims: claims !== undefined,
    scope: { claims: claims ?? {}, space: yield* content.variables, page: page.variables ?? {} }
  }
})

const loadIncludedContent = Effect.fnUntraced(function* (
  content: Content,
  id: string,
  remaining: { pieces: number; bytes: number }
) {
  const entry = yield* content.reusableContent(id)
  if (entry === undefined) return undefined
  if (remaining.pieces-- <= 0 || remaining.bytes <= 0) return tooLargeInclude
  const document = yield* content.document(entry.document)
  const json = StoredDocument.isSmall(document) ? JSON.stringify(document) : document.json
  remaining.bytes -= json.length
  // If the included documents are large in total, each is passed as JSON, like a large document.
  const isLarge = maxIncludedBytes - remaining.bytes > StoredDocument.smallJson
  return { document: isLarge ? { json } : document, bytes: json.length }
})
