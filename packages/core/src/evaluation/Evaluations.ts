/**
 * Evaluates documents of a content (see `DocumentEvaluation` for what that means): finds what a
 * document includes, and what that includes, before it begins.
 *
 * Limits: 200 pieces of reusable content and 16 MiB of them for a document; what is beyond counts as
 * more than fits.
 */
import { Effect } from "effect"
import type { ContentReader } from "../content/ContentReader.ts"
import type { Block, Document } from "../content/Document.ts"
import { countNodes, maxNodes } from "../content/DocumentSize.ts"
import * as DocumentText from "../content/DocumentText.ts"
import type { PageEntry } from "../content/Page.ts"
import type { StorageError } from "../storage/Storage.ts"
import * as DocumentEvaluation from "./DocumentEvaluation.ts"

/** What a caller asks for: `true`, or only what is the same for everyone. */
export type Evaluated = boolean | "deterministic-only"

const maxIncluded = 200
const maxIncludedBytes = 16 * 1024 * 1024

/** Too large for any document, so that it is told as such. */
const beyond: DocumentEvaluation.Included = {
  document: { object: "document", data: {}, nodes: [] },
  nodes: Infinity,
  bytes: Infinity
}

export interface EvaluationOptions {
  readonly evaluated: Evaluated
  readonly space: string
  readonly page: PageEntry
  /** What is known of the visitor who reads; undefined where a member does, of whom nothing is. */
  readonly claims: { readonly [name: string]: unknown } | undefined
}

/** The document as it reads. The same object where there is nothing to evaluate. */
export const evaluate = Effect.fnUntraced(function* (
  content: Pick<ContentReader, "reusableContent" | "document" | "variables">,
  document: Document,
  { evaluated, space, page, claims }: EvaluationOptions
) {
  const unchanged: DocumentEvaluation.Evaluated = { document, readsClaims: false }
  if ((evaluated === false && claims === undefined) || !isDynamic(document)) return unchanged
  const included = evaluated === false ? new Map() : yield* includedBy(content, document, space)
  return DocumentEvaluation.evaluate(document, {
    mode: evaluated === true ? "all" : evaluated === false ? "hidden" : "deterministic",
    space,
    hides: claims !== undefined,
    scope: { claims: claims ?? {}, space: yield* content.variables, page: page.variables ?? {} },
    included: (id) => included.get(id)
  })
}) as (
  content: Pick<ContentReader, "reusableContent" | "document" | "variables">,
  document: Document,
  options: EvaluationOptions
) => Effect.Effect<DocumentEvaluation.Evaluated, StorageError>

const includedBy = Effect.fnUntraced(function* (
  content: Pick<ContentReader, "reusableContent" | "document">,
  document: Document,
  space: string
) {
  const found = new Map<string, DocumentEvaluation.Included>()
  let room = maxIncludedBytes
  let wanted = includesOf(document, space)
  for (let depth = 0; wanted.size > 0 && depth < DocumentEvaluation.maxIncludes; depth++) {
    const next = new Set<string>()
    for (const id of wanted) {
      const entry = yield* content.reusableContent(id)
      if (entry === undefined) continue
      if (found.size >= maxIncluded || room <= 0) {
        found.set(id, beyond)
        continue
      }
      const document = yield* content.document(entry.document)
      const bytes = JSON.stringify(document).length
      room -= bytes
      found.set(id, { document, nodes: countNodes(document.nodes, maxNodes), bytes })
      for (const each of includesOf(document, space)) next.add(each)
    }
    for (const id of found.keys()) next.delete(id)
    wanted = next
  }
  return found
})

function* blocksOf(document: Document): Generator<Block> {
  const open: Array<Block> = document.nodes.toReversed()
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    yield block
    DocumentText.pushBlocksIn(open, block)
  }
}

const includesOf = (document: Document, space: string): Set<string> => {
  const found = new Set<string>()
  for (const block of blocksOf(document)) {
    const id = DocumentEvaluation.includedBy(block, space)
    if (id !== undefined) found.add(id)
  }
  return found
}

/** Whether there is anything in it to evaluate. */
const isDynamic = (document: Document): boolean => {
  for (const { type, nodes } of blocksOf(document)) {
    if (type === "if" || type === "reusable-content") return true
    if (nodes?.some(({ object }) => object === "inline") && nodes.some(holdsExpression)) return true
  }
  return false
}

// Documents nest 100 deep at most, so recursion is bounded.
const holdsExpression = (node: NonNullable<Block["nodes"]>[number]): boolean =>
  node.object === "inline" &&
  (node.type === "expression" ||
    (node.nodes ?? []).some(holdsExpression) ||
    (node.fragments ?? []).some((fragment) => isDynamic({ object: "document", data: {}, nodes: fragment.nodes })))
