/**
 * Edits of whole blocks: move, delete, select, turn into another type. They apply to the selected block, or to the blocks
 * of the selected text. A moved block keeps its key.
 */
import type { BlockType } from "@lectern/document/vocabulary/BlockTypes"
import { setBlockType } from "prosemirror-commands"
import { closeHistory } from "prosemirror-history"
import { Fragment, type Node, type ResolvedPos } from "prosemirror-model"
import { liftListItem } from "prosemirror-schema-list"
import { type Command, type EditorState, NodeSelection, Selection, TextSelection } from "prosemirror-state"
import * as Commands from "./Commands.ts"
import { fragmentName, inlineName, schema } from "./EditorSchema.ts"

/** A block and its position. */
export interface BlockPosition {
  readonly node: Node
  readonly position: number
}

/** True if a node is a block that a person handles as one: not a line of code, a part of a table or a fragment. */
export const isHandled = ({ type }: Node): boolean =>
  (type.isBlock &&
    type.spec.attrs?.["key"] !== undefined &&
    !type.name.includes("/") &&
    !/^(?:code-line|table_)/.test(type.name)) ||
  type.name === "opaque"

/** Returns the handled blocks around a position, innermost first. A paragraph that starts an item is its item. */
export const blocksAround = ($pos: ResolvedPos): ReadonlyArray<BlockPosition> => {
  const found: Array<BlockPosition> = []
  for (let depth = $pos.depth; depth > 0; depth--) {
    const node = $pos.node(depth)
    if (!isHandled(node)) continue
    const isStartOfItem = $pos.index(depth - 1) === 0 && $pos.node(depth - 1).type.name === "list-item"
    if (!isStartOfItem) found.push({ node, position: $pos.before(depth) })
  }
  return found
}

/** Returns the block at the selection, which may be the selected one. */
export const blockAtSelection = ({ selection }: EditorState): BlockPosition | undefined =>
  selection instanceof NodeSelection && isHandled(selection.node)
    ? { node: selection.node, position: selection.from }
    : blocksAround(selection.$from)[0]

/** Selects a block as a whole. */
export const selectBlockAt =
  (position: number): Command =>
  (state, dispatch) => {
    dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, position)).scrollIntoView())
    return true
  }

/** The blocks that a command moves: children of `$from` at `depth`, from `start` to `end`. */
interface BlockRun {
  readonly $from: ResolvedPos
  readonly depth: number
  readonly start: number
  readonly end: number
}

/** Returns the blocks of the selection that have a sibling in a direction. */
const movableRun = ({ selection }: EditorState, direction: -1 | 1): BlockRun | undefined => {
  const { $from, $to } = selection
  const isNode = selection instanceof NodeSelection
  for (let depth = isNode ? $from.depth : $from.sharedDepth($to.pos); depth >= 0; depth--) {
    const parent = $from.node(depth)
    if (parent.isTextblock || parent.type.name === "table_row" || parent.type.name === "table_head") continue
    const start = $from.index(depth)
    const end = isNode && depth === $from.depth ? start + 1 : $to.indexAfter(depth) || start + 1
    const neighbor = parent.maybeChild(direction < 0 ? start - 1 : end)
    const moved = parent.maybeChild(start)
    if (neighbor === null || moved === null || [neighbor, moved].some(({ type }) => type.name === "table_head")) {
      if (parent.type.name === "table") return undefined
      continue
    }
    if (neighbor.type.name.includes("/") || moved.type.name.includes("/")) continue
    return { $from, depth, start, end }
  }
  return undefined
}

/** Moves the blocks of the selection up or down among their siblings. */
export const moveBlocks =
  (direction: -1 | 1): Command =>
  (state, dispatch) => {
    const run = movableRun(state, direction)
    if (run === undefined) return false
    if (dispatch === undefined) return true
    const { $from, depth, end, start } = run
    const first = $from.posAtIndex(start, depth)
    const last = $from.posAtIndex(end, depth)
    const neighbor = $from.node(depth).child(direction < 0 ? start - 1 : end)
    const at = direction < 0 ? first - neighbor.nodeSize : last
    const tr = state.tr.delete(at, at + neighbor.nodeSize)
    tr.insert(direction < 0 ? last - neighbor.nodeSize : first, neighbor)
    // The text at the selection moved by the size of its neighbor.
    const shift = direction * neighbor.nodeSize
    const { selection } = state
    tr.setSelection(
      selection instanceof NodeSelection
        ? NodeSelection.create(tr.doc, selection.from + shift)
        : TextSelection.create(tr.doc, selection.anchor + shift, selection.head + shift)
    )
    dispatch(closeHistory(tr).scrollIntoView())
    return true
  }

/** Moves the block at a position to another position between blocks. */
export const moveBlockTo =
  (position: number, target: number): Command =>
  (state, dispatch) => {
    const node = state.doc.nodeAt(position)
    if (node === null || (target >= position && target <= position + node.nodeSize)) return false
    const $target = state.doc.resolve(target)
    const index = $target.index()
    if (!$target.parent.canReplaceWith(index, index, node.type)) return false
    if (dispatch === undefined) return true
    const tr = state.tr
    const $position = state.doc.resolve(position)
    // The last block of its parent leaves the parent with it.
    const isOnly = $position.parent.childCount === 1 && $position.depth > 0 && !$position.parent.type.spec.isolating
    if (isOnly) tr.deleteRange(position, position + node.nodeSize)
    else tr.delete(position, position + node.nodeSize)
    const at = tr.mapping.map(target)
    tr.insert(at, node)
    dispatch(closeHistory(tr.setSelection(selectionOf(tr.doc, at))).scrollIntoView())
    return true
  }

const selectionOf = (doc: Node, position: number): Selection =>
  doc.nodeAt(position)!.isAtom ? NodeSelection.create(doc, position) : Selection.near(doc.resolve(position + 1))

/** Deletes the block at the selection. */
export const deleteBlock: Command = (state, dispatch) => {
  const block = blockAtSelection(state)
  if (block === undefined) return false
  dispatch?.(closeHistory(state.tr.deleteRange(block.position, block.position + block.node.nodeSize)).scrollIntoView())
  return true
}

/** Copies the block at the selection below itself. The copy gets new keys. */
export const duplicateBlock: Command = (state, dispatch) => {
  const block = blockAtSelection(state)
  if (block === undefined) return false
  const end = block.position + block.node.nodeSize
  dispatch?.(closeHistory(state.tr.insert(end, block.node)).scrollIntoView())
  return true
}

/** Selects the next or previous block, if a whole block is selected. */
export const selectSibling =
  (direction: -1 | 1): Command =>
  (state, dispatch) => {
    const { selection } = state
    if (!(selection instanceof NodeSelection) || !selection.node.isBlock || !isHandled(selection.node)) return false
    const { $from, $to } = selection
    const sibling = direction < 0 ? $from.nodeBefore : $to.nodeAfter
    if (sibling === null || !isHandled(sibling)) return false
    return selectBlockAt(direction < 0 ? selection.from - sibling.nodeSize : selection.to)(state, dispatch)
  }

/** Types of blocks that a block of text can become. */
export const turnIntoTypes = [
  "paragraph",
  "heading-1",
  "heading-2",
  "heading-3",
  "list-unordered",
  "list-ordered",
  "list-tasks",
  "blockquote",
  "hint",
  "code"
] as const satisfies ReadonlyArray<BlockType>

type TurnIntoType = (typeof turnIntoTypes)[number]

/** Turns the blocks of the selection into another type. Text keeps its words. */
export const turnBlockInto = (type: TurnIntoType): Command => {
  switch (type) {
    case "list-unordered":
    case "list-ordered":
    case "list-tasks":
      return Commands.toggleList(type)
    case "blockquote":
    case "hint":
      return Commands.wrap(type, type === "hint" ? { style: "info" } : undefined)
    case "code":
      return turnIntoCode
    default:
      return turnIntoText(type)
  }
}

const turnIntoText =
  (type: "paragraph" | "heading-1" | "heading-2" | "heading-3"): Command =>
  (state, dispatch) => {
    const { $from } = state.selection
    if ($from.parent.type.name === "code-line") return turnCodeIntoText(type)(state, dispatch)
    const isItem = $from.depth >= 2 && $from.node(-1).type.name === "list-item"
    if (isItem && type === "paragraph") return liftListItem(schema.nodes["list-item"]!)(state, dispatch)
    if (!setBlockType(schema.nodes[type]!)(state) && $from.parent.type.name !== type) return false
    return Commands.turnInto(type)(state, dispatch)
  }

/** Replaces the selected text blocks by one block of code with their words. */
const turnIntoCode: Command = (state, dispatch) => {
  const range = state.selection.$from.blockRange(state.selection.$to)
  if (range === null) return false
  const { parent, start, startIndex, end, endIndex } = range
  const code = schema.nodes["code"]!
  if (!parent.canReplaceWith(startIndex, endIndex, code)) return false
  const blocks = parent.children.slice(startIndex, endIndex)
  if (!blocks.every(({ isTextblock }) => isTextblock)) return false
  const lines = blocks.flatMap((block) =>
    block
      .textBetween(0, block.content.size, "\n", (leaf) => (leaf.type.name === inlineName("hard-break") ? "\n" : ""))
      .split("\n")
  )
  const node = code.create({ key: blocks[0]!.attrs["key"], data: {} }, lines.map(codeLine))
  const tr = state.tr.replaceWith(start, end, node)
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(start + 2))).scrollIntoView())
  return true
}

const turnCodeIntoText =
  (type: BlockType): Command =>
  (state, dispatch) => {
    const { $from } = state.selection
    const code = $from.node(-1)
    const nodes = code.children.map((line, i) =>
      schema.nodes[type]!.create(
        { ...(i === 0 && { key: code.attrs["key"] }), data: type === "paragraph" ? null : {} },
        line.textContent === "" ? [] : [schema.text(line.textContent)]
      )
    )
    const tr = state.tr.replaceWith($from.before(-1), $from.after(-1), Fragment.from(nodes))
    dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve($from.before(-1) + 1))).scrollIntoView())
    return true
  }

export const codeLine = (text: string): Node =>
  schema.node("code-line", { data: {} }, text === "" ? [] : [schema.text(text)])

/** Adds an empty paragraph after a block, with the cursor in it. */
export const addParagraphAfter =
  ({ node, position }: BlockPosition): Command =>
  (state, dispatch) => {
    const end = position + node.nodeSize
    const $end = state.doc.resolve(end)
    const isInList = node.type.name === "list-item"
    const added = isInList
      ? node.type.create({ data: "checked" in (node.attrs["data"] ?? {}) ? { checked: false } : null }, [
          schema.node("paragraph")
        ])
      : schema.node("paragraph")
    if (!$end.parent.canReplaceWith($end.index(), $end.index(), added.type)) return false
    if (dispatch === undefined) return true
    const tr = state.tr.insert(end, added)
    dispatch(tr.setSelection(TextSelection.create(tr.doc, end + (isInList ? 2 : 1))).scrollIntoView())
    return true
  }

/** Adds an empty tab, step or other part of a block after the given part. */
export const addPartAfter =
  ({ node, position }: BlockPosition): Command =>
  (state, dispatch) => {
    const end = position + node.nodeSize
    const tr = state.tr.insert(end, Commands.newBlock(node.type.name as BlockType))
    dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(end + 1))).scrollIntoView())
    return true
  }

/** Adds an empty fragment to a block, such as a caption, and puts the cursor into it. */
export const addFragment =
  ({ node, position }: BlockPosition, fragment: string): Command =>
  (state, dispatch) => {
    const added = schema.nodes[fragmentName(node.type.name, fragment)]?.createAndFill()
    if (added === undefined || added === null) return false
    const at = position + node.nodeSize - 1
    const tr = state.tr.insert(at, added)
    dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(at + 1))).scrollIntoView())
    return true
  }

/** Replaces the data of the block at a position. Empty data becomes null where the type allows it. */
export const setData =
  (position: number, data: { readonly [name: string]: unknown }): Command =>
  (state, dispatch) => {
    const node = state.doc.nodeAt(position)
    if (node === null) return false
    const isAbsent = Object.keys(data).length === 0 && node.attrs["data"] === null
    dispatch?.(state.tr.setNodeAttribute(position, "data", isAbsent ? null : data))
    return true
  }
