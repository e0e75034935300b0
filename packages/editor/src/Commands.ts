/**
 * Edits for keys and menus. Each is a command of ProseMirror: it returns false where it does not
 * apply, and changes nothing without `dispatch`.
 */
import type { ContentRef } from "@lectern/document/Document"
import { type BlockType, flowTypes } from "@lectern/document/vocabulary/BlockTypes"
import type { MarkType } from "@lectern/document/vocabulary/MarkTypes"
import { requiredBlockParts } from "@lectern/document/vocabulary/RequiredParts"
import { setBlockType, toggleMark, wrapIn } from "prosemirror-commands"
import type { Node, NodeType, ResolvedPos } from "prosemirror-model"
import { liftListItem, sinkListItem, splitListItem, wrapInList } from "prosemirror-schema-list"
import { type Command, NodeSelection, Selection, TextSelection, type Transaction } from "prosemirror-state"
import { fragmentName, inlineName, markName, schema } from "./EditorSchema.ts"
import { tableOfCells } from "./table/NewTable.ts"

const nodeType = (type: BlockType): NodeType => schema.nodes[type]!

const listItem = nodeType("list-item")

/** Makes the selected text bold, italic and so on, or takes the mark away. */
export const toggle = (mark: MarkType): Command => toggleMark(schema.marks[markName(mark)]!)

/** Makes the selected text a link, or removes the link with a null target. */
export const link = (ref: ContentRef | null): Command => {
  const type = schema.marks[inlineName("link")]!
  return (state, dispatch) => {
    const { from, to, empty } = state.selection
    if (empty) return false
    dispatch?.(
      ref === null ? state.tr.removeMark(from, to, type) : state.tr.addMark(from, to, type.create({ data: { ref } }))
    )
    return true
  }
}

/** Turns the selected blocks into text blocks of a type: paragraphs or headings. The blocks keep their keys. */
export const turnInto =
  (type: "paragraph" | "heading-1" | "heading-2" | "heading-3"): Command =>
  (state, dispatch) => {
    if (!setBlockType(nodeType(type))(state)) return false
    const { from, to } = state.selection
    const attrs = ({ attrs }: Node) => ({ key: attrs["key"], data: dataOf(type) })
    dispatch?.(state.tr.setBlockType(from, to, nodeType(type), attrs).scrollIntoView())
    return true
  }

/** Data that a block of a type has from the start. */
export const dataOf = (type: BlockType) => requiredBlockParts(type).data ?? null

/** Puts the selected blocks into a list, turns their list into this one, or takes them out of it. */
export const toggleList =
  (type: "list-ordered" | "list-unordered" | "list-tasks"): Command =>
  (state, dispatch) => {
    const { $from, $to } = state.selection
    const range = $from.blockRange(
      $to,
      (node) => node.type.name.startsWith("list-") && node.firstChild?.type === listItem
    )
    if (range === null || range.depth < 1)
      return wrapInList(nodeType(type), { data: dataOf(type) })(
        state,
        dispatch && ((tr) => dispatch(withTasks(tr, type)))
      )
    const list = range.parent
    if (list.type.name === type) return liftListItem(listItem)(state, dispatch)
    dispatch?.(
      withTasks(
        state.tr.setNodeMarkup(range.$from.before(range.depth), nodeType(type), { ...list.attrs, data: dataOf(type) }),
        type
      )
    )
    return true
  }

/** Adds a box to the items of the list at the selection, or removes it. */
const withTasks = (tr: Transaction, type: string): Transaction => {
  const { $from } = tr.selection
  for (let depth = $from.depth; depth > 0; depth--) {
    const list = $from.node(depth)
    if (list.type.name !== type) continue
    list.forEach((item, offset) => {
      const { checked, ...data } = item.attrs["data"] ?? {}
      const isTask = type === "list-tasks"
      if ((checked !== undefined) === isTask) return
      const next = isTask ? { ...data, checked: false } : data
      tr.setNodeAttribute($from.start(depth) + offset, "data", Object.keys(next).length === 0 ? null : next)
    })
    break
  }
  return tr
}

/** Checks or unchecks the task at the selection. */
export const toggleTask: Command = ({ selection: { $from }, tr }, dispatch) => {
  for (let depth = $from.depth; depth > 0; depth--) {
    const { attrs, type } = $from.node(depth)
    if (type !== listItem || attrs["data"]?.checked === undefined) continue
    dispatch?.(
      tr.setNodeAttribute($from.before(depth), "data", { ...attrs["data"], checked: attrs["data"].checked !== true })
    )
    return true
  }
  return false
}

/** Puts the selected blocks into a quote, a hint or an expandable block. */
export const wrap =
  (type: "blockquote" | "hint", data?: { readonly [name: string]: unknown }): Command =>
  (state, dispatch) =>
    wrapIn(nodeType(type), { data: data ?? dataOf(type) })(state, dispatch)

/** Types that can be inserted as a new block. */
export const insertableTypes: ReadonlyArray<BlockType> = flowTypes.filter(
  (type) => !["verbatim", "html", "definition", "list-item"].includes(type)
)

/**
 * Inserts a block after the one at the selection, or in its place if that is an empty paragraph. The block has one empty
 * part where it needs one, such as the first tab, and the cursor is put into its first text.
 */
export const insert = (type: BlockType, data?: { readonly [name: string]: unknown }): Command =>
  insertNode(() => newBlock(type, data))

/** Inserts a picture. `data`: the fields of the type `image`, such as its reference and alternative text. */
export const insertPicture = (data: { readonly [name: string]: unknown }): Command =>
  insertNode(() => nodeType("images").create({ data: {} }, nodeType("image").create({ data })))

const insertNode =
  (make: () => Node): Command =>
  (state, dispatch) => {
    const { $from } = state.selection
    const node = make()
    // Below a table, a list or code, since their parts can't contain other blocks.
    const depth = insertionDepth($from, node)
    const [start, end] = depth === 0 ? [$from.pos, $from.pos] : [$from.before(depth), $from.after(depth)]
    const isReplaced =
      depth === $from.depth && $from.parent.type.name === "paragraph" && $from.parent.content.size === 0
    const from = isReplaced ? start : end
    const $position = state.doc.resolve(from)
    if (!$position.parent.canReplaceWith($position.index(), $position.index() + (isReplaced ? 1 : 0), node.type))
      return false
    if (dispatch === undefined) return true
    const tr = isReplaced ? state.tr.replaceWith(start, end, node) : state.tr.insert(from, node)
    dispatch(tr.setSelection(selectionOf(tr.doc, from)).scrollIntoView())
    return true
  }

/** Returns the selection in a new block: its first text, or the block without one. A group of pictures has one in it. */
const selectionOf = (doc: Node, position: number): Selection => {
  const node = doc.nodeAt(position)!
  let hasText = node.isTextblock
  node.descendants((each) => {
    hasText ||= each.isTextblock
    return !hasText
  })
  if (hasText) return Selection.near(doc.resolve(position + 1))
  return NodeSelection.create(doc, node.type.name === "images" ? position + 1 : position)
}

/** Returns the depth of the innermost block after which the node can be. */
const insertionDepth = ($from: ResolvedPos, node: Node): number => {
  for (let depth = $from.depth; depth > 0; depth--) {
    const index = $from.indexAfter(depth - 1)
    if ($from.node(depth - 1).canReplaceWith(index, index, node.type)) return depth
  }
  return 0
}

/** Returns a new block with its required parts. */
export const newBlock = (type: BlockType, data?: { readonly [name: string]: unknown }): Node => {
  if (type === "table") return tableOfCells(["", "", ""], [[], []])
  const node = nodeType(type).createAndFill({ data: data ?? dataOf(type) })!
  const title = schema.nodes[fragmentName(type, "expandable-title")]
  if (title === undefined) return node
  const body = schema.nodes[fragmentName(type, "expandable-body")]!
  return node.type.create(node.attrs, [title.createAndFill()!, body.createAndFill()!])
}

/** Splits the item of a list. A new task is not checked. */
export const splitItem: Command = (state, dispatch) => {
  const { $from } = state.selection
  const item = $from.depth < 2 ? undefined : $from.node(-1)
  const isTask = item?.attrs["data"]?.checked !== undefined
  return splitListItem(listItem, { data: isTask ? { checked: false } : null })(state, dispatch)
}

export const indentItem: Command = sinkListItem(listItem)
export const outdentItem: Command = liftListItem(listItem)

/** Adds a paragraph after the block that encloses the cursor, and goes there. */
export const leaveBlock: Command = (state, dispatch) => {
  const { $head } = state.selection
  for (let depth = $head.depth; depth > 0; depth--) {
    const parent = $head.node(depth - 1)
    const index = $head.indexAfter(depth - 1)
    if (depth === $head.depth && parent.type.name !== "doc" && depth > 1) continue
    if (!parent.canReplaceWith(index, index, nodeType("paragraph"))) continue
    if (dispatch !== undefined) {
      const at = $head.after(depth)
      const tr = state.tr.insert(at, schema.node("paragraph"))
      dispatch(tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView())
    }
    return true
  }
  return false
}

/** Starts a new line of code, with the indentation of the line before. */
export const splitCodeLine: Command = (state, dispatch) => {
  const { $from } = state.selection
  if ($from.parent.type.name !== "code-line") return false
  if (dispatch === undefined) return true
  const indentation = /^[ \t]*/.exec($from.parent.textContent.slice(0, $from.parentOffset))![0]
  const tr = state.tr.deleteSelection()
  const at = tr.mapping.map($from.pos)
  tr.split(at, 1, [{ type: schema.nodes["code-line"]!, attrs: { data: {} } }])
  dispatch((indentation === "" ? tr : tr.insertText(indentation, at + 2)).scrollIntoView())
  return true
}

/** Indents a line of code. */
export const indentCode: Command = (state, dispatch) => {
  if (state.selection.$from.parent.type.name !== "code-line") return false
  dispatch?.(state.tr.insertText("  "))
  return true
}

/** Inserts a line break within the text. */
export const breakLine: Command = (state, dispatch) => {
  const { $from } = state.selection
  if (!$from.parent.inlineContent || $from.parent.type.name === "code-line") return false
  dispatch?.(state.tr.replaceSelectionWith(schema.node(inlineName("hard-break"))).scrollIntoView())
  return true
}
