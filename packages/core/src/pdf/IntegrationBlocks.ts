/**
 * Finds the integration blocks of a stored document, and replaces them by their rendered blocks (see
 * `ContentKitBlocks`).
 */
import type { Block, Document } from "@lectern/document/Document"
import { flatMapList, mapList, withNodes, withParts } from "@lectern/document/DocumentMapping"
import * as DocumentText from "@lectern/document/DocumentText"
import { serialize, isSmall, parseDocument, type StoredDocument } from "../content/documents/StoredDocument.ts"
import type { IntegrationPayload } from "../integration/IntegrationEvent.ts"
import * as Computation from "../thread/Computation.ts"
import { blocksOf, type ProgramOutput } from "./ContentKitBlocks.ts"

type Props = Extract<IntegrationPayload, { readonly type: "ui_render" }>["props"]

/** Request to render a block. */
export interface RenderRequest {
  readonly integration: string
  readonly block: string
  readonly props: Props
}

/** Returns the key of a request. Equal requests have equal keys. */
export const requestKeyOf = ({ integration, block, props }: RenderRequest): string =>
  JSON.stringify([integration.toLowerCase(), block, props])

const renderRequestOf = ({ type, data }: Block): RenderRequest | undefined => {
  const { integration, block, props = {} } = data ?? {}
  if (type !== "integration" || typeof integration !== "string" || typeof block !== "string") return undefined
  return typeof props === "object" && props !== null ? { integration, block, props: props as Props } : undefined
}

const hasNoIntegrationBlocks = (document: StoredDocument) =>
  !isSmall(document) && !document.json.includes('"type":"integration"')

/** Computation that returns the distinct render requests of a document, in document order. */
export const FindRenderRequests = Computation.make({
  name: "find-drawings",
  isSmall: (document: StoredDocument) => isSmall(document) || hasNoIntegrationBlocks(document),
  run: (document): ReadonlyArray<RenderRequest> => {
    const requests = new Map<string, RenderRequest>()
    if (hasNoIntegrationBlocks(document)) return []
    const pending: Array<Block> = parseDocument(document).nodes.toReversed()
    for (let block = pending.pop(); block !== undefined; block = pending.pop()) {
      const request = renderRequestOf(block)
      if (request !== undefined) requests.set(requestKeyOf(request), request)
      DocumentText.pushChildBlocks(pending, block)
    }
    return [...requests.values()]
  }
})

interface ReplacementInput {
  readonly document: StoredDocument
  /** Rendered elements by the key of their request. */
  readonly outputs: ReadonlyMap<string, ProgramOutput>
}

export const ReplaceIntegrationBlocks = Computation.make({
  name: "put-drawings",
  isSmall: ({ document }: ReplacementInput) => isSmall(document),
  run: ({ document, outputs }): StoredDocument => serialize(withRendered(parseDocument(document), outputs))
})

const withRendered = (document: Document, outputs: ReplacementInput["outputs"]): Document => {
  // Documents have at most 100 levels, so the recursion ends.
  const replaceBlock = (block: Block): ReadonlyArray<Block> => {
    const request = renderRequestOf(block)
    const output = request && outputs.get(requestKeyOf(request))
    let keys = 0
    const rendered = output === undefined ? [] : blocksOf(output, () => `${block.key}-${++keys}`)
    if (rendered.length > 0) return rendered
    return [
      withParts(block, {
        nodes:
          block.nodes && flatMapList(block.nodes, (node) => (node.object === "block" ? replaceBlock(node) : [node])),
        fragments:
          block.fragments &&
          mapList(block.fragments, (fragment) => withNodes(fragment, flatMapList(fragment.nodes, replaceBlock)))
      })
    ]
  }
  return withNodes(document, flatMapList(document.nodes, replaceBlock))
}
