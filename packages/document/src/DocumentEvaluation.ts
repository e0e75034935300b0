/**
 * Evaluates a document for a reader: replaces expressions by their values, includes by their content, and conditions by
 * the branch that applies.
 *
 * - An expression with a syntax error or an unknown variable stays. An unknown claim is an empty text. The value of a
 *   list is its items, separated by commas.
 * - A condition with a syntax error never holds, so its `else` branch is used.
 * - An include of missing content, of itself, or beyond the limits stays, followed by an HTML comment with the reason.
 *
 * Limits: 10 nested includes. All includes and values together add at most 100,000 nodes and 8 MiB to a document.
 */
import * as Condition from "./condition/Condition.ts"
import * as ConditionEvaluation from "./condition/ConditionEvaluation.ts"
import type { ConditionTree } from "./condition/ConditionTree.ts"
import { type Block, type Document, type Fragment, type Inline, type Leaf, type Node } from "./Document.ts"
import { flatMapList, mapList, withNodes, withParts } from "./DocumentMapping.ts"
import { isRef } from "./DocumentRefs.ts"
import { maxBytes, maxNodes } from "./DocumentSize.ts"
import { elseTag as otherwiseTag } from "./markdown/Tags.ts"
import { blockSpec } from "./vocabulary/BlockTypes.ts"
import { inlineSpec } from "./vocabulary/InlineTypes.ts"

export const maxIncludes = 10

/**
 * Extent of an evaluation: `all` = everything; `deterministic` = parts that are equal for all readers; `hidden` = only
 * conditions.
 */
export type Mode = "all" | "deterministic" | "hidden"

/** A document that another document can include, and its size. */
export interface IncludedContent {
  readonly document: Document
  readonly nodes: number
  readonly bytes: number
}

export interface EvaluationOptions {
  readonly mode: Mode
  /** Id of the space whose reusable content can be included. Content of other spaces is not included. */
  readonly space: string
  readonly scope: ConditionEvaluation.Scope
  /** True if conditions on claims are evaluated even in the mode `deterministic`, so that no condition remains. */
  readonly evaluatesClaims: boolean
  readonly includedContent: (reusableContent: string) => IncludedContent | undefined
}

export interface EvaluationResult {
  /** Evaluated document, or the input object if the document contains no part to evaluate. */
  readonly document: Document
  /** True if the result may depend on claims. */
  readonly readsClaims: boolean
}

/** Returns the id of the reusable content that a block includes from the space. Undefined for any other block. */
export const includedId = ({ type, data }: Block, space: string): string | undefined =>
  blockSpec(type).evaluation === "include" &&
  isRef(data?.ref) &&
  data.ref.kind === "reusable-content" &&
  (data.ref.space ?? space) === space
    ? data.ref.reusableContent
    : undefined

export const evaluate = (document: Document, options: EvaluationOptions): EvaluationResult => {
  const evaluator = new Evaluator(options)
  const nodes = evaluator.blocks(document.nodes, "")
  return {
    document: withNodes(document, nodes),
    readsClaims: evaluator.readsClaims
  }
}

const skipReasons = {
  missing: "Not included: there is no such reusable content.",
  cycle: "Not included: it would include itself.",
  size: "Not included: the page would grow too large."
} as const

class Evaluator {
  readsClaims = false
  readonly options: EvaluationOptions
  /** Ids of reusable contents that enclose the current block, outermost first. */
  readonly #enclosing: Array<string> = []
  #includeCount = 0
  #remainingNodes = maxNodes
  #remainingBytes = maxBytes

  constructor(options: EvaluationOptions) {
    this.options = options
  }

  /**
   * Evaluates blocks. `prefix`: start of the keys of included blocks, which makes the keys unique. Empty outside of
   * includes.
   */
  blocks(nodes: ReadonlyArray<Block>, prefix: string): ReadonlyArray<Block> {
    return flatMapList(nodes, (block) => this.#block(block, prefix))
  }

  #block(block: Block, prefix: string): ReadonlyArray<Block> {
    const { evaluation } = blockSpec(block.type)
    if (evaluation === "choice") return this.#choice(block, prefix)
    if (evaluation === "include" && this.options.mode !== "hidden") return this.#include(block, prefix)
    return [this.#mapBlock(block, prefix)]
  }

  #mapBlock(block: Block, prefix: string): Block {
    const mappedBlock = withParts(block, this.#mapParts(block, prefix))
    return prefix === "" ? mappedBlock : { ...mappedBlock, key: prefix + block.key }
  }

  #mapParts({ nodes, fragments }: Block | Inline, prefix: string) {
    return {
      nodes: nodes && this.#children(nodes, prefix),
      fragments: fragments && mapList(fragments, (child) => this.#fragment(child, prefix))
    }
  }

  #fragment(fragment: Fragment, prefix: string): Fragment {
    return withNodes(fragment, this.blocks(fragment.nodes, prefix))
  }

  #children(nodes: ReadonlyArray<Node>, prefix: string): ReadonlyArray<Node> {
    const after = flatMapList<Node>(nodes, (node) => {
      switch (node.object) {
        case "block":
          return this.#block(node, prefix)
        case "inline":
          return inlineSpec(node.type).evaluation === "value" ? [this.#value(node)] : [this.#inline(node, prefix)]
        case "text":
          return [node]
      }
    })
    return after === nodes ? nodes : joinTexts(after)
  }

  #inline(inline: Inline, prefix: string): Inline {
    return withParts(inline, this.#mapParts(inline, prefix))
  }

  /** Parses an expression. Undefined if it has a syntax error. */
  #parse(expression: unknown): ConditionTree | undefined {
    const tree = typeof expression === "string" ? Condition.parseExpression(expression) : undefined
    return tree?._tag === "Success" ? tree.success : undefined
  }

  #value(inline: Inline): Node {
    const { mode, scope } = this.options
    const tree = mode === "hidden" ? undefined : this.#parse(inline.data?.expression)
    if (tree === undefined) return inline
    const readsClaims = ConditionEvaluation.readsClaims(tree)
    if (readsClaims) this.readsClaims = true
    if (readsClaims && mode === "deterministic") return inline
    const text = valueText(ConditionEvaluation.valueOf(tree, scope)) ?? (readsClaims ? "" : undefined)
    if (text === undefined || text.length > this.#remainingBytes) return inline
    this.#remainingBytes -= text.length
    return { object: "text", leaves: text === "" ? [] : [{ object: "leaf", text, marks: [] }] }
  }

  #choice(block: Block, prefix: string): ReadonlyArray<Block> {
    const { mode, evaluatesClaims, scope } = this.options
    const { consequent, alternate } = branches(block)
    const tree = this.#parse(block.data?.expression)
    const reads = tree !== undefined && ConditionEvaluation.readsClaims(tree)
    if (reads) this.readsClaims = true
    if (reads && mode === "deterministic" && !evaluatesClaims) return [this.#mapBlock(block, prefix)]
    const conditionHolds = tree !== undefined && Boolean(ConditionEvaluation.valueOf(tree, scope))
    return this.blocks(conditionHolds ? consequent : alternate, prefix)
  }

  #include(block: Block, prefix: string): ReadonlyArray<Block> {
    const id = includedId(block, this.options.space)
    const content = id === undefined ? undefined : this.options.includedContent(id)
    if (id === undefined || content === undefined) return this.#skipInclude(block, prefix, "missing")
    if (this.#enclosing.includes(id)) return this.#skipInclude(block, prefix, "cycle")
    const { document, nodes, bytes } = content
    if (this.#enclosing.length >= maxIncludes || nodes >= this.#remainingNodes || bytes > this.#remainingBytes) {
      return this.#skipInclude(block, prefix, "size")
    }
    this.#remainingNodes -= nodes + 1
    this.#remainingBytes -= bytes
    this.#enclosing.push(id)
    const includedBlocks = this.blocks(document.nodes, `i${++this.#includeCount}.`)
    this.#enclosing.pop()
    return includedBlocks
  }

  #skipInclude(block: Block, prefix: string, reason: keyof typeof skipReasons): ReadonlyArray<Block> {
    const key = prefix + block.key
    const html = `<!-- ${skipReasons[reason]} -->`
    // If the node budget is used up, many includes get no comment, which would exceed the limits.
    if (this.#remainingNodes < 1) return [{ ...block, key }]
    this.#remainingNodes -= 1
    return [
      { ...block, key },
      { object: "block", type: "html", key: `${key}.note`, data: { html }, isVoid: true }
    ]
  }
}

/** Returns the blocks for a condition that holds, and the `else` blocks. */
const branches = (
  block: Block
): { readonly consequent: ReadonlyArray<Block>; readonly alternate: ReadonlyArray<Block> } => {
  const consequent = (block.nodes ?? []).filter((node) => node.object === "block")
  return { consequent, alternate: block.fragments?.find(({ fragment }) => fragment === otherwiseTag)?.nodes ?? [] }
}

/** Returns the text of a value. Undefined for undefined values and objects. */
const valueText = (value: unknown): string | undefined => {
  switch (typeof value) {
    case "string":
      return value
    case "number":
    case "boolean":
      return String(value)
    default:
      if (value === null) return ""
      if (!Array.isArray(value)) return undefined
      return value.map((item: unknown) => (Array.isArray(item) ? "" : (valueText(item) ?? ""))).join(", ")
  }
}

/** Joins adjacent texts, and adjacent leaves without marks. */
const joinTexts = (nodes: ReadonlyArray<Node>): ReadonlyArray<Node> => {
  const result: Array<Node> = []
  for (const node of nodes) {
    const last = result.at(-1)
    if (node.object !== "text" || last?.object !== "text") result.push(node)
    else result[result.length - 1] = { ...last, leaves: joinLeaves(last.leaves, node.leaves) }
  }
  return result
}

const joinLeaves = (before: ReadonlyArray<Leaf>, after: ReadonlyArray<Leaf>): ReadonlyArray<Leaf> => {
  const last = before.at(-1)
  const first = after[0]
  if (last === undefined || first === undefined || last.marks.length > 0 || first.marks.length > 0) {
    return [...before, ...after]
  }
  return [...before.slice(0, -1), { ...last, text: last.text + first.text }, ...after.slice(1)]
}
