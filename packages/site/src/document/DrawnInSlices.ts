/**
 * Draws the blocks of a page in slices, so that a large one holds up nobody else: it is the same HTML as `Blocks.page`
 * draws at once. What stands in a large block is drawn before the block, which then puts it together.
 *
 * Limit: a slice ends behind a block of at most 64 within it, or behind a line.
 */
import { Slice } from "@lectern/core/storage/Slice"
import type { Block, Node } from "@lectern/document/Document"
import * as DocumentText from "@lectern/document/DocumentText"
import { Effect } from "effect"
import { type Html, html } from "../html/Html.ts"
import * as Blocks from "./Blocks.ts"
import * as Footnotes from "./Footnotes.ts"
import { inlines } from "./Inlines.ts"
import { blocksOf } from "./Nodes.ts"
import type { Parts } from "./Rendering.ts"

const most = 64

export const draw = Effect.fnUntraced(function* (parts: Parts, nodes: ReadonlyArray<Node>) {
  const made = new WeakMap<object, Html>()
  const rendering = Blocks.rendering({ ...parts, made }, Footnotes.of(nodes))
  const slice = yield* Slice.begin
  const outermost = blocksOf(nodes)
  const open = outermost.toReversed()
  const begun = new Set<Block>()
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    if (!begun.has(block) && isLarge(block)) {
      begun.add(block)
      open.push(block)
      DocumentText.pushBlocksIn(open, block)
      continue
    }
    // Whoever has a line in it draws the line alone.
    if (block.type === "paragraph" && block.nodes !== undefined) made.set(block.nodes, inlines(block.nodes, rendering))
    if (!Blocks.isPart(block)) made.set(block, rendering.blocks([block]))
    else if (!begun.has(block)) DocumentText.pushBlocksIn(open, block)
    // The list of footnotes puts their blocks together.
    if (block.type === "footnote-definition" && !begun.has(block)) {
      begun.add(block)
      DocumentText.pushBlocksIn(open, block)
    }
    if (slice.isOver()) yield* slice.rest
  }
  return html`${rendering.blocks(outermost)}${Footnotes.list(rendering)}`
})

/** Tells whether more stands in it than is drawn in no time. */
const isLarge = (block: Block): boolean => {
  const open: Array<Block> = []
  DocumentText.pushBlocksIn(open, block)
  for (let n = 0; n < most; n++) {
    const next = open.pop()
    if (next === undefined) return false
    DocumentText.pushBlocksIn(open, next)
  }
  return true
}
