/**
 * Edits of whole blocks: move, delete, select, turn into another type. They apply to the selected blocks, or to the
 * blocks of the selected text. A moved block keeps its key.
 */
import type { BlockType } from "@lectern/document/vocabulary/BlockTypes"
import { setBlockType } from "prosemirror-commands"
import { closeHistory } from "prosemirror-history"
import { Fragment, type Node, type ResolvedPos } from "prosemirror-model"
import { liftListItem } from "prosemirror-schema-list"
import { type Command, type EditorState, NodeSelection, Selection, TextSelection } from "prosemirror-state"
import { BlockSelection } from "./BlockSelection.ts"
import * as Commands from "./Commands.ts"
import { codeLine, fragmentName, inlineName, schema } from "./EditorSchema.ts"

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

/** True if whole blocks are selected: one or several. */
export const hasSelectedBlocks = ({ selection }: EditorState): boolean =>
  selection instanceof BlockSelection ||
  (selection instanceof NodeSelection && selection.node.isBlock && isHandled(selection.node))

/** Returns the block at the selection, which may be the first of the selected ones. */
export const blockAtSelection = (state: EditorState): BlockPosition | undefined => {
  const { selection } = state
  return hasSelectedBlocks(state)
    ? { node: selection.$from.nodeAfter!, position: selection.from }
    : blocksAround(selection.$from)[0]
}

/** Start and end of the selected blocks, or of the block at the cursor. */
interface SelectedRun {
  readonly from: number
  readonly to: number
}

const selectedRun = (state: EditorState): SelectedRun | undefined => {
  if (hasSelectedBlocks(state)) return state.selection
  const block = blockAtSelection(state)
  return block && { from: block.position, to: block.position + block.node.nodeSize }
}

/**
 * Selects the block at the cursor, the blocks of a selected text, or the block around the selected ones. Returns true if
 * blocks are selected already and no other block encloses them.
 */
export const selectBlock: Command = (state, dispatch) => {
  const { $from, $to } = state.selection
  if (!hasSelectedBlocks(state) && !$from.sameParent($to)) {
    const run = siblingsOf($from, $to)
    if (run !== undefined) {
      dispatch?.(state.tr.setSelection(BlockSelection.between(...run)))
      return true
    }
  }
  const block = blocksAround($from).find(
    ({ node, position }) =>
      NodeSelection.isSelectable(node) && position + node.nodeSize >= $to.pos && !isSelected(state, position)
  )
  if (block !== undefined) return selectBlockAt(block.position)(state, dispatch)
  return hasSelectedBlocks(state)
}

const isSelected = ({ selection }: EditorState, position: number): boolean =>
  selection instanceof NodeSelection && selection.from === position

/** Returns the positions around the sibling blocks that contain two positions. */
const siblingsOf = ($from: ResolvedPos, $to: ResolvedPos): [ResolvedPos, ResolvedPos] | undefined => {
  const depth = $from.sharedDepth($to.pos)
  const parent = $from.node(depth)
  const [start, end] = [$from.index(depth), $to.indexAfter(depth)]
  if (parent.inlineContent || !parent.children.slice(start, end).every(isHandled)) return undefined
  const { doc } = $from
  return [doc.resolve($from.posAtIndex(start, depth)), doc.resolve($from.posAtIndex(end, depth))]
}

/** Extends the selected blocks by the next or previous one, or takes the last one out of them. */
export const extendBlocks =
  (direction: -1 | 1): Command =>
  (state, dispatch) => {
    if (!hasSelectedBlocks(state)) return false
    const { selection } = state
    const isOne = selection instanceof NodeSelection
    // One block is extended in both directions.
    const [anchor, head] =
      isOne && direction < 0
        ? [selection.to, selection.from]
        : [selection.anchor, isOne ? selection.to : selection.head]
    let [$anchor, $head] = [state.doc.resolve(anchor), state.doc.resolve(head)]
    for (;;) {
      const next = direction < 0 ? $head.nodeBefore : $head.nodeAfter
      if (next !== null && isHandled(next)) {
        const $next = state.doc.resolve($head.pos + direction * next.nodeSize)
        dispatch?.(state.tr.setSelection(BlockSelection.between($anchor, $next)).scrollIntoView())
        return true
      }
      // The last block of its parent: the parent is selected with its sibling, as the item of a list is.
      if ($head.depth === 0 || !isHandled($head.parent)) return true
      ;[$anchor, $head] = (direction < 0 ? [$head.after(), $head.before()] : [$head.before(), $head.after()]).map(
        (position) => state.doc.resolve(position)
      ) as [ResolvedPos, ResolvedPos]
    }
  }

/** Puts the cursor at the end of several selected blocks. */
export const enterBlock: Command = (state, dispatch) =>
  state.selection instanceof BlockSelection &&
  goTo(({ selection }) => Selection.near(selection.$to, -1))(state, dispatch)

/** Moves the cursor from selected blocks into a text, since the browser has no cursor to move there. */
export const goTo =
  (target: (state: EditorState) => Selection): Command =>
  (state, dispatch) => {
    if (!hasSelectedBlocks(state)) return false
    dispatch?.(state.tr.setSelection(target(state)).scrollIntoView())
    return true
  }

/** Deletes selected blocks as one step of the undo history. */
export const deleteSelectedBlocks: Command = (state, dispatch) =>
  hasSelectedBlocks(state) && deleteBlock(state, dispatch)

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
    const [anchor, head] = [selection.anchor + shift, selection.head + shift]
    tr.setSelection(
      selection instanceof NodeSelection
        ? NodeSelection.create(tr.doc, selection.from + shift)
        : selection instanceof BlockSelection
          ? BlockSelection.between(tr.doc.resolve(anchor), tr.doc.resolve(head))
          : TextSelection.create(tr.doc, anchor, head)
    )
    dispatch(closeHistory(tr).scrollIntoView())
    return true
  }

/** Returns the selected blocks that contain the block at a position, or only that block. */
const runAt = (state: EditorState, position: number): SelectedRun | undefined => {
  const { selection } = state
  if (selection instanceof BlockSelection && position >= selection.from && position < selection.to) return selection
  const node = state.doc.nodeAt(position)
  return node === null ? undefined : { from: position, to: position + node.nodeSize }
}

/** Moves the block at a position to another position between blocks. If it is selected, all selected blocks move. */
export const moveBlockTo =
  (position: number, target: number): Command =>
  (state, dispatch) => {
    const run = runAt(state, position)
    if (run === undefined || (target >= run.from && target <= run.to)) return false
    const { from, to } = run
    const $from = state.doc.resolve(from)
    const blocks = $from.parent.content.cut($from.parentOffset, $from.parentOffset + to - from)
    const $target = state.doc.resolve(target)
    const index = $target.index()
    if (!$target.parent.canReplace(index, index, blocks)) return false
    if (dispatch === undefined) return true
    const tr = state.tr
    // The last blocks of their parent leave the parent with them.
    const isAll = $from.parent.content.size === to - from && $from.depth > 0 && !$from.parent.type.spec.isolating
    if (isAll) tr.deleteRange(from, to)
    else tr.delete(from, to)
    const at = tr.mapping.map(target)
    tr.insert(at, blocks)
    const selection =
      blocks.childCount > 1
        ? BlockSelection.between(tr.doc.resolve(at), tr.doc.resolve(at + to - from))
        : selectionOf(tr.doc, at)
    dispatch(closeHistory(tr.setSelection(selection)).scrollIntoView())
    return true
  }

const selectionOf = (doc: Node, position: number): Selection =>
  doc.nodeAt(position)!.isAtom ? NodeSelection.create(doc, position) : Selection.near(doc.resolve(position + 1))

/** Deletes the selected blocks, or the block at the cursor. */
export const deleteBlock: Command = (state, dispatch) => {
  const run = selectedRun(state)
  if (run === undefined) return false
  dispatch?.(closeHistory(state.tr.deleteRange(run.from, run.to)).scrollIntoView())
  return true
}

/** Copies the selected blocks, or the block at the cursor, below themselves. The copies get new keys. */
export const duplicateBlock: Command = (state, dispatch) => {
  const run = selectedRun(state)
  if (run === undefined) return false
  if (dispatch === undefined) return true
  const { from, to } = run
  const tr = state.tr.insert(to, state.doc.slice(from, to).content)
  const { selection } = state
  // Several copies are selected, so that they can be moved at once.
  if (selection instanceof BlockSelection)
    tr.setSelection(BlockSelection.between(tr.doc.resolve(to), tr.doc.resolve(to + to - from)))
  dispatch(closeHistory(tr).scrollIntoView())
  return true
}

/** Selects the next or previous block, if whole blocks are selected. */
export const selectSibling =
  (direction: -1 | 1): Command =>
  (state, dispatch) => {
    if (!hasSelectedBlocks(state)) return false
    const { $from, $to, from, to } = state.selection
    const sibling = direction < 0 ? $from.nodeBefore : $to.nodeAfter
    if (sibling === null || !isHandled(sibling)) return false
    return selectBlockAt(direction < 0 ? from - sibling.nodeSize : to)(state, dispatch)
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
export const turnBlockInto =
  (type: TurnIntoType): Command =>
  (state, dispatch, view) =>
    state.selection instanceof BlockSelection
      ? turnSeveralInto(type)(state, dispatch)
      : turnOneInto(type)(state, dispatch, view)

const turnOneInto = (type: TurnIntoType): Command => {
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

/** A selected block as the text that it has. Undefined for a block that has no other form, such as a table. */
const textBlocksOf = (block: Node): ReadonlyArray<Node> | undefined => {
  if (block.isTextblock) return [block]
  if (block.type.name === "code")
    return block.children.map((line) => schema.node("paragraph", null, line.textContent === "" ? [] : line.content))
  if (!/^(?:list-|blockquote$|hint$)/.test(block.type.name)) return undefined
  const parts = block.children.map(textBlocksOf)
  return parts.includes(undefined) ? undefined : parts.flatMap((part) => part!)
}

/** Turns several selected blocks into a type: those that have text. Other blocks stay between the new ones. */
export const turnSeveralInto =
  (type: TurnIntoType): Command =>
  (state, dispatch) => {
    if (!(state.selection instanceof BlockSelection)) return false
    const { $from, $to } = state.selection
    const { parent } = $from
    const blocks = parent.children.slice($from.index(), $to.index())
    const result: Array<Node> = []
    let texts: Array<Node> = []
    const end = () => {
      if (texts.length > 0) result.push(...blocksOfType(type, texts))
      texts = []
    }
    for (const block of blocks) {
      const found = textBlocksOf(block)
      if (found !== undefined) texts.push(...found)
      else {
        end()
        result.push(block)
      }
    }
    end()
    const content = Fragment.from(result)
    if (content.eq(Fragment.from(blocks)) || !parent.canReplace($from.index(), $to.index(), content)) return false
    if (dispatch === undefined) return true
    const tr = state.tr.replaceWith($from.pos, $to.pos, content)
    tr.setSelection(BlockSelection.between(tr.doc.resolve($from.pos), tr.doc.resolve($from.pos + content.size)))
    dispatch(closeHistory(tr).scrollIntoView())
    return true
  }

const blocksOfType = (type: TurnIntoType, texts: ReadonlyArray<Node>): ReadonlyArray<Node> => {
  const as = (name: string) => (text: Node) =>
    schema.nodes[name]!.create({ key: text.attrs["key"], data: Commands.dataOf(name as BlockType) }, text.content)
  switch (type) {
    case "list-unordered":
    case "list-ordered":
    case "list-tasks": {
      const data = type === "list-tasks" ? { checked: false } : null
      const items = texts.map((text) => schema.node("list-item", { data }, as("paragraph")(text)))
      return [schema.node(type, { data: Commands.dataOf(type) }, items)]
    }
    case "blockquote":
      return [schema.node(type, { data: Commands.dataOf(type) }, texts)]
    case "hint":
      return [schema.node(type, { data: { style: "info" } }, texts)]
    case "code":
      return [schema.node(type, { data: {} }, texts.flatMap(linesOf).map(codeLine))]
    default:
      return texts.map(as(type))
  }
}

/** Returns the lines of a block of text, without marks. */
const linesOf = (block: Node): ReadonlyArray<string> =>
  block
    .textBetween(0, block.content.size, "\n", (leaf) => (leaf.type.name === inlineName("hard-break") ? "\n" : ""))
    .split("\n")

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
  const lines = blocks.flatMap(linesOf)
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
