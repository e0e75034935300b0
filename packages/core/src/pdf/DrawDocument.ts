/**
 * Finds the integration blocks of a stored document, and replaces them by their rendered blocks (see
 * `ContentKitBlocks`).
 */
import type { Block, Document } from "@lectern/document/Document"
import { flatMapList, mapList, withNodes, withParts } from "@lectern/document/DocumentMapping"
import * as DocumentText from "@lectern/document/DocumentText"
import { fold, isSmall, open, type StoredDocument } from "../content/documents/StoredDocument.ts"
import type { IntegrationPayload } from "../integration/IntegrationEvent.ts"
import * as Computation from "../thread/Computation.ts"
import { blocksOf, type Output } from "./ContentKitBlocks.ts"

type Props = Extract<IntegrationPayload, { readonly type: "ui_render" }>["props"]

/** Request to render a block. */
export interface Asked {
  readonly integration: string
  readonly block: string
  readonly props: Props
}

/** Returns the key of a request. Equal requests have equal keys. */
export const questionOf = ({ integration, block, props }: Asked): string =>
  JSON.stringify([integration.toLowerCase(), block, props])

const askedBy = ({ type, data }: Block): Asked | undefined => {
  const { integration, block, props = {} } = data ?? {}
  if (type !== "integration" || typeof integration !== "string" || typeof block !== "string") return undefined
  return typeof props === "object" && props !== null ? { integration, block, props: props as Props } : undefined
}

const isIdle = (document: StoredDocument) => !isSmall(document) && !document.json.includes('"type":"integration"')

/** Computation that returns the distinct render requests of a document, in document order. */
export const FindDrawings = Computation.make({
  name: "find-drawings",
  isSmall: (document: StoredDocument) => isSmall(document) || isIdle(document),
  run: (document): ReadonlyArray<Asked> => {
    const found = new Map<string, Asked>()
    if (isIdle(document)) return []
    const waiting: Array<Block> = open(document).nodes.toReversed()
    for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
      const asked = askedBy(block)
      if (asked !== undefined) found.set(questionOf(asked), asked)
      DocumentText.pushBlocksIn(waiting, block)
    }
    return [...found.values()]
  }
})

interface Input {
  readonly document: StoredDocument
  /** Rendered elements by the key of their request. */
  readonly outputs: ReadonlyMap<string, Output>
}

export const PutDrawings = Computation.make({
  name: "put-drawings",
  isSmall: ({ document }: Input) => isSmall(document),
  run: ({ document, outputs }): StoredDocument => fold(drawn(open(document), outputs))
})

const drawn = (document: Document, outputs: Input["outputs"]): Document => {
  // Documents have at most 100 levels, so recursion is bounded.
  const within = (block: Block): ReadonlyArray<Block> => {
    const asked = askedBy(block)
    const output = asked && outputs.get(questionOf(asked))
    let keys = 0
    const drawn = output === undefined ? [] : blocksOf(output, () => `${block.key}-${++keys}`)
    if (drawn.length > 0) return drawn
    return [
      withParts(block, {
        nodes: block.nodes && flatMapList(block.nodes, (node) => (node.object === "block" ? within(node) : [node])),
        fragments:
          block.fragments &&
          mapList(block.fragments, (fragment) => withNodes(fragment, flatMapList(fragment.nodes, within)))
      })
    ]
  }
  return withNodes(document, flatMapList(document.nodes, within))
}
