/**
 * Presents a document to a reader. The document is evaluated (see `DocumentEvaluation`), gets the blocks that
 * integrations render (see `IntegrationBlocks`), and loses the parts that visitors must not get (see `VisitorDocument`). A
 * document response also gets the anchors of its headings (see `DocumentAnchors`). References to included content are
 * returned before the evaluation, so that the caller loads the content and calls again.
 *
 * Only `VisitorDocument` decides which content a visitor gets. The requested form changes only the vocabulary of the
 * response (see `WireDocument`), so that no form returns hidden content.
 */
import * as WireDocument from "@lectern/document/wire/WireDocument"
import * as IntegrationBlocks from "@lectern/document/integration-blocks/IntegrationBlocks"
import * as BlockTree from "@lectern/document/BlockTree"
import * as DocumentAnchors from "@lectern/document/DocumentAnchors"
import type { Block, Document } from "@lectern/document/Document"
import * as EmptyBlock from "@lectern/document/EmptyBlock"
import * as DocumentText from "@lectern/document/DocumentText"
import { countNodes, maxNodes } from "@lectern/document/DocumentSize"
import {
  serializeHosted,
  serialize,
  isSmall,
  jsonText,
  parseDocument,
  type StoredDocument
} from "../content/documents/StoredDocument.ts"
import * as EmbeddedLinks from "@lectern/document/EmbeddedLinks"
import * as VisitorDocument from "@lectern/document/VisitorDocument"
import * as SpecBlocks from "../computed/SpecBlocks.ts"
import * as Computation from "../thread/Computation.ts"
import * as DocumentEvaluation from "@lectern/document/DocumentEvaluation"
import { blockSpec } from "@lectern/document/vocabulary/BlockTypes"
import { inlineSpec } from "@lectern/document/vocabulary/InlineTypes"

/** A document that another one may include. */
export interface Included {
  readonly document: StoredDocument
  /** Size of its JSON in bytes. */
  readonly bytes: number
}

/** Blocks of integrations for a document. */
export interface BlockRendering {
  readonly blocks: ReadonlyArray<IntegrationBlocks.IntegrationBlock>
  /** True to show code and embeds as blocks of integrations. */
  readonly replacesContent: boolean
}

/**
 * Form of a document for a visitor. All forms hold the same content.
 *
 * - `hosted`: in the vocabulary of the hosted service, for API clients.
 * - `lectern`: in Lectern's own vocabulary, for its sites and PDFs.
 * - `markdown`: in Lectern's own vocabulary, without text that Markdown would read as HTML.
 */
export type VisitorForm = "hosted" | "lectern" | "markdown"

export type EvaluationSetting = Omit<DocumentEvaluation.EvaluationOptions, "includedContent">

interface PresentationInput {
  readonly document: StoredDocument
  /** Values and mode of the evaluation. Undefined disables evaluation. */
  readonly setting: EvaluationSetting | undefined
  /** Included documents by id; undefined for a reusable content that does not exist. */
  readonly included: ReadonlyMap<string, Included | undefined>
  /** True if the caller can load more included content. */
  readonly mayLoadMore: boolean
  /** Form for a visitor; undefined for a member. */
  readonly visitor: VisitorForm | undefined
  /** True for a page that is computed from a specification (see `SpecBlocks`). */
  readonly isFromSpec?: boolean
  /** Undefined: no anchors. Otherwise ids of anchors of other pages, by URL (see `DocumentAnchors`). */
  readonly anchors: ReadonlyMap<string, string> | undefined
  /** Blocks of integrations that the space has. Undefined: blocks of integrations stay as stored. */
  readonly rendering: BlockRendering | undefined
  /** Links that integrations render as blocks. Undefined while the links of the document are not known yet. */
  readonly knownLinks: IntegrationBlocks.LinkResults | undefined
}

export interface PresentedDocument {
  /** Undefined if the document is shown unchanged. */
  readonly document: StoredDocument | undefined
  /** True if other claims may result in another document. */
  readonly readsClaims: boolean
}

/** `missing`: ids of included content that is missing in the input. `links`: links that blocks accept. */
type PresentationStep =
  | PresentedDocument
  | { readonly missing: ReadonlyArray<string> }
  | { readonly links: ReadonlyArray<IntegrationBlocks.IntegrationLink> }

const isSmallInput = ({ document, included }: Pick<PresentationInput, "document" | "included">) =>
  isSmall(document) && included.values().every((one) => one === undefined || isSmall(one.document))

export const PresentDocument = Computation.make({
  name: "show-document",
  isSmall: isSmallInput,
  run: ({ document, setting, included, mayLoadMore, ...reader }: PresentationInput): PresentationStep => {
    const original = parseDocument(document)
    if (setting === undefined || !isDynamic(original)) return present(original, original, reader, false)
    const availableContent = new Map(Array.from(included, ([id, one]) => [id, one && parseIncluded(one)] as const))
    if (mayLoadMore && setting.mode !== "hidden") {
      const documents = [
        original,
        ...availableContent.values().flatMap((one) => (one === undefined ? [] : [one.document]))
      ]
      const missingIds = new Set(
        documents.flatMap((one) => includesOf(one, setting.space).filter((id) => !availableContent.has(id)))
      )
      if (missingIds.size > 0) return { missing: [...missingIds] }
    }
    const evaluated = DocumentEvaluation.evaluate(original, {
      ...setting,
      includedContent: (id) => availableContent.get(id)
    })
    return present(original, evaluated.document, reader, evaluated.readsClaims)
  }
})

const parseIncluded = ({ document, bytes }: Included): DocumentEvaluation.IncludedContent => {
  const tree = parseDocument(document)
  return { document: tree, nodes: countNodes(tree.nodes, maxNodes), bytes }
}

const present = (
  storedDocument: Document,
  evaluatedDocument: Document,
  {
    visitor,
    isFromSpec,
    anchors,
    rendering,
    knownLinks
  }: Pick<PresentationInput, "visitor" | "isFromSpec" | "anchors" | "rendering" | "knownLinks">,
  readsClaims: boolean
): PresentationStep => {
  const replacingBlocks = rendering?.replacesContent === true ? rendering.blocks : []
  const links = knownLinks === undefined ? IntegrationBlocks.integrationLinks(evaluatedDocument, replacingBlocks) : []
  if (links.length > 0) return { links }
  const withBlocks =
    replacingBlocks.length === 0
      ? evaluatedDocument
      : IntegrationBlocks.withIntegrationBlocks(evaluatedDocument, replacingBlocks, knownLinks)
  const forReader = visitor && rendering ? IntegrationBlocks.forVisitors(withBlocks, rendering.blocks) : withBlocks
  // HTML may contain named anchors, unlike its blocks. Headings from HTML get their anchors after the stored headings.
  const withAnchors =
    anchors === undefined
      ? forReader
      : DocumentAnchors.withAnchors(forReader, anchors, { forMembers: visitor === undefined })
  const withoutDuplicates =
    isFromSpec === true && visitor === "hosted" ? SpecBlocks.withoutTables(withAnchors) : withAnchors
  const withEmbeds =
    visitor === undefined || visitor === "markdown" ? withoutDuplicates : EmbeddedLinks.withEmbeds(withoutDuplicates)
  const visitorDocument = visitor === undefined ? withAnchors : visitorForms[visitor](withEmbeds)
  // Blocks may be empty after parts were hidden.
  const hasRemovedParts = forReader !== storedDocument || visitorDocument !== withAnchors
  const document =
    anchors !== undefined && hasRemovedParts
      ? DocumentAnchors.withMissingAnchors(BlockTree.mapBlocks(visitorDocument, EmptyBlock.withRequiredParagraph))
      : visitorDocument
  const isHosted = visitor === "hosted"
  const isUnchanged = document === storedDocument && !(isHosted && WireDocument.hasUnsupportedContent(document))
  return { document: isUnchanged ? undefined : isHosted ? serializeHosted(document) : serialize(document), readsClaims }
}

const visitorForms: { readonly [_ in VisitorForm]: (document: Document) => Document } = {
  hosted: VisitorDocument.plainVisitorDocument,
  lectern: VisitorDocument.visitorDocument,
  markdown: VisitorDocument.markdownVisitorDocument
}

function* blocksOf(document: Document): Generator<Block> {
  const pendingBlocks: Array<Block> = document.nodes.toReversed()
  for (let block = pendingBlocks.pop(); block !== undefined; block = pendingBlocks.pop()) {
    yield block
    DocumentText.pushChildBlocks(pendingBlocks, block)
  }
}

const includesOf = (document: Document, space: string): ReadonlyArray<string> =>
  Array.from(blocksOf(document)).flatMap((block) => DocumentEvaluation.includedId(block, space) ?? [])

/** Returns true if a document may contain parts that are shown as blocks of integrations. */
export const mayContainBlocks = (document: StoredDocument, rendering: BlockRendering | undefined): boolean =>
  rendering !== undefined &&
  rendering.replacesContent &&
  rendering.blocks.length > 0 &&
  (isSmall(document) || IntegrationBlocks.mayContainIntegrationBlocks(document.json, rendering.blocks))

/** Returns true if a document may contain anchors. */
export const mayHaveAnchors = (document: StoredDocument): boolean =>
  isSmall(document) || /"type":"(?:heading-|expandable"|tabs-item"|openapi-|swagger")/.test(document.json)

/** Returns true if a document may link to an anchor of another page. */
export const mayLinkToAnchors = (document: StoredDocument): boolean => jsonText(document).includes('"kind":"anchor"')

/** Returns true if a document has parts to evaluate. */
export const isDynamic = (document: Document): boolean => {
  for (const { type, nodes } of blocksOf(document)) {
    if (blockSpec(type).evaluation !== undefined) return true
    if (nodes?.some(({ object }) => object === "inline") && nodes.some(containsExpression)) return true
  }
  return false
}

// Documents are nested at most 100 deep, so recursion is bounded.
const containsExpression = (node: NonNullable<Block["nodes"]>[number]): boolean =>
  node.object === "inline" &&
  (inlineSpec(node.type).evaluation !== undefined ||
    (node.nodes ?? []).some(containsExpression) ||
    (node.fragments ?? []).some((fragment) => isDynamic({ object: "document", data: {}, nodes: fragment.nodes })))
