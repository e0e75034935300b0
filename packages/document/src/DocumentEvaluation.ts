/**
 * A document as it reads for someone: expressions stand for their values, includes for what they
 * include, and of what a condition decides the part that holds.
 *
 * - An expression that can't be read, or is of a variable that there isn't, stays as it is. A claim
 *   that isn't known is an empty text; a list is its items, parted by commas.
 * - A condition that can't be read never holds. What stands behind `else` in it is shown instead.
 * - An include of what isn't there, of itself, or of more than fits, stays as it is, with a comment
 *   behind it that no reader sees.
 *
 * It ends whatever includes what: includes nest 10 deep, and all of them together, and all values,
 * add 100,000 nodes and 8 MiB to a document at most.
 */
import * as Condition from "./condition/Condition.ts"
import * as ConditionEvaluation from "./condition/ConditionEvaluation.ts"
import type { ConditionTree } from "./condition/ConditionTree.ts"
import { type Block, type Document, type Fragment, type Inline, type Leaf, type Node } from "./Document.ts"
import { flatMapList, mapList, withNodes, withParts } from "./DocumentMapping.ts"
import { isRef } from "./DocumentRefs.ts"
import { maxBytes, maxNodes } from "./DocumentSize.ts"
import { otherwise as otherwiseTag } from "./markdown/Tags.ts"
import { blockSpec } from "./vocabulary/BlockTypes.ts"
import { inlineSpec } from "./vocabulary/InlineTypes.ts"

export const maxIncludes = 10

/**
 * Extent of an evaluation: `all` of the document; parts that are the same for everyone (`deterministic`);
 * conditions alone (`hidden`).
 */
export type Mode = "all" | "deterministic" | "hidden"

/** A document that another one may include, with its size. */
export interface Included {
  readonly document: Document
  readonly nodes: number
  readonly bytes: number
}

export interface Setting {
  readonly mode: Mode
  /** Whose reusable content is included; that of others isn't. */
  readonly space: string
  readonly scope: ConditionEvaluation.Scope
  /** Decides conditions on claims although claims are not evaluated, so that none is left. */
  readonly hides: boolean
  readonly included: (reusableContent: string) => Included | undefined
}

export interface Evaluated {
  /** The same object where there was nothing to evaluate. */
  readonly document: Document
  /** True where other claims could make another document. */
  readonly readsClaims: boolean
}

/** The reusable content of the space that a block includes; undefined for any other block. */
export const includedBy = ({ type, data }: Block, space: string): string | undefined =>
  blockSpec(type).evaluates === "include" &&
  isRef(data?.ref) &&
  data.ref.kind === "reusable-content" &&
  (data.ref.space ?? space) === space
    ? data.ref.reusableContent
    : undefined

export const evaluate = (document: Document, setting: Setting): Evaluated => {
  const evaluator = new Evaluator(setting)
  const nodes = evaluator.blocks(document.nodes, "")
  return {
    document: withNodes(document, nodes),
    readsClaims: evaluator.readsClaims
  }
}

const notes = {
  missing: "Not included: there is no such reusable content.",
  cycle: "Not included: it would include itself.",
  room: "Not included: the page would grow too large."
} as const

class Evaluator {
  readsClaims = false
  readonly #setting: Setting
  /** Reusable contents that are being included, from the outside in. */
  readonly #open: Array<string> = []
  #includes = 0
  #nodes = maxNodes
  #bytes = maxBytes

  constructor(setting: Setting) {
    this.#setting = setting
  }

  /** `prefix` makes the keys of what is included differ from those around it. */
  blocks(nodes: ReadonlyArray<Block>, prefix: string): ReadonlyArray<Block> {
    return flatMapList(nodes, (block) => this.#block(block, prefix))
  }

  #block(block: Block, prefix: string): ReadonlyArray<Block> {
    const { evaluates } = blockSpec(block.type)
    if (evaluates === "choice") return this.#choice(block, prefix)
    if (evaluates === "include" && this.#setting.mode !== "hidden") return this.#include(block, prefix)
    return [this.#within(block, prefix)]
  }

  #within(block: Block, prefix: string): Block {
    const after = withParts(block, this.#parts(block, prefix))
    return prefix === "" ? after : { ...after, key: prefix + block.key }
  }

  #parts({ nodes, fragments }: Block | Inline, prefix: string) {
    return {
      nodes: nodes && this.#children(nodes, prefix),
      fragments: fragments && mapList(fragments, (one) => this.#fragment(one, prefix))
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
          return inlineSpec(node.type).evaluates === "value" ? [this.#value(node)] : [this.#inline(node, prefix)]
        case "text":
          return [node]
      }
    })
    return after === nodes ? nodes : joined(after)
  }

  #inline(inline: Inline, prefix: string): Inline {
    return withParts(inline, this.#parts(inline, prefix))
  }

  /** The tree of an expression where it is evaluated here. */
  #tree(expression: unknown): ConditionTree | undefined {
    const tree = typeof expression === "string" ? Condition.parseExpression(expression) : undefined
    return tree?._tag === "Success" ? tree.success : undefined
  }

  #value(inline: Inline): Node {
    const { mode, scope } = this.#setting
    const tree = mode === "hidden" ? undefined : this.#tree(inline.data?.expression)
    if (tree === undefined) return inline
    const reads = ConditionEvaluation.readsClaims(tree)
    if (reads) this.readsClaims = true
    if (reads && mode === "deterministic") return inline
    const text = printed(ConditionEvaluation.valueOf(tree, scope)) ?? (reads ? "" : undefined)
    if (text === undefined || text.length > this.#bytes) return inline
    this.#bytes -= text.length
    return { object: "text", leaves: text === "" ? [] : [{ object: "leaf", text, marks: [] }] }
  }

  #choice(block: Block, prefix: string): ReadonlyArray<Block> {
    const { mode, hides, scope } = this.#setting
    const { shown, otherwise } = branches(block)
    const tree = this.#tree(block.data?.expression)
    const reads = tree !== undefined && ConditionEvaluation.readsClaims(tree)
    if (reads) this.readsClaims = true
    if (reads && mode === "deterministic" && !hides) return [this.#within(block, prefix)]
    const holds = tree !== undefined && Boolean(ConditionEvaluation.valueOf(tree, scope))
    return this.blocks(holds ? shown : otherwise, prefix)
  }

  #include(block: Block, prefix: string): ReadonlyArray<Block> {
    const id = includedBy(block, this.#setting.space)
    const found = id === undefined ? undefined : this.#setting.included(id)
    if (id === undefined || found === undefined) return this.#left(block, prefix, "missing")
    if (this.#open.includes(id)) return this.#left(block, prefix, "cycle")
    const { document, nodes, bytes } = found
    if (this.#open.length >= maxIncludes || nodes >= this.#nodes || bytes > this.#bytes) {
      return this.#left(block, prefix, "room")
    }
    this.#nodes -= nodes + 1
    this.#bytes -= bytes
    this.#open.push(id)
    const included = this.blocks(document.nodes, `i${++this.#includes}.`)
    this.#open.pop()
    return included
  }

  #left(block: Block, prefix: string, why: keyof typeof notes): ReadonlyArray<Block> {
    const key = prefix + block.key
    const html = `<!-- ${notes[why]} -->`
    // In place of many includes, many notes would be what doesn't fit.
    if (this.#nodes < 1) return [{ ...block, key }]
    this.#nodes -= 1
    return [
      { ...block, key },
      { object: "block", type: "html", key: `${key}.note`, data: { html }, isVoid: true }
    ]
  }
}

/** Blocks that a condition shows where it holds, and those behind its `else` where it doesn't. */
const branches = (block: Block): { readonly shown: ReadonlyArray<Block>; readonly otherwise: ReadonlyArray<Block> } => {
  const shown = (block.nodes ?? []).filter((node) => node.object === "block")
  return { shown, otherwise: block.fragments?.find(({ fragment }) => fragment === otherwiseTag)?.nodes ?? [] }
}

/** Undefined for what has no text: nothing, and objects. */
const printed = (value: unknown): string | undefined => {
  switch (typeof value) {
    case "string":
      return value
    case "number":
    case "boolean":
      return String(value)
    default:
      if (value === null) return ""
      if (!Array.isArray(value)) return undefined
      return value.map((item: unknown) => (Array.isArray(item) ? "" : (printed(item) ?? ""))).join(", ")
  }
}

/** Texts that stand side by side are one, and so are leaves of the same marks. */
const joined = (nodes: ReadonlyArray<Node>): ReadonlyArray<Node> => {
  const out: Array<Node> = []
  for (const node of nodes) {
    const last = out.at(-1)
    if (node.object !== "text" || last?.object !== "text") out.push(node)
    else out[out.length - 1] = { ...last, leaves: joinedLeaves(last.leaves, node.leaves) }
  }
  return out
}

const joinedLeaves = (before: ReadonlyArray<Leaf>, after: ReadonlyArray<Leaf>): ReadonlyArray<Leaf> => {
  const last = before.at(-1)
  const first = after[0]
  if (last === undefined || first === undefined || last.marks.length > 0 || first.marks.length > 0) {
    return [...before, ...after]
  }
  return [...before.slice(0, -1), { ...last, text: last.text + first.text }, ...after.slice(1)]
}
