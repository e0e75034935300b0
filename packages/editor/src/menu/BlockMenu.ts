/** The menu of a block: turn into, duplicate, move, delete, copy link, settings of the block and of those around it. */
import { type BlockType, blockSpec, blockTypes, isBlockType } from "@lectern/document/vocabulary/BlockTypes"
import { keydownHandler } from "prosemirror-keymap"
import { Plugin } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import {
  addFragment,
  addPartAfter,
  type BlockPosition,
  blockAtSelection,
  blocksAround,
  deleteBlock,
  duplicateBlock,
  moveBlocks,
  setData
} from "../BlockCommands.ts"
import { BlockSelection } from "../BlockSelection.ts"
import { fragmentName } from "../EditorSchema.ts"
import { withValues, wordOf } from "../EditorTexts.ts"
import { formFields, openBlockForm } from "../form/BlockForm.ts"
import { focusWidthHandle } from "../width/WidthHandles.ts"
import { pictureAtSelection } from "../width/Widths.ts"
import { type MenuItem, openMenu } from "./Menu.ts"
import type { MenuContext } from "./MenuOptions.ts"
import { turnIntoItems } from "./SelectionBar.ts"

/** Types of blocks that are parts of one other type, such as a tab. */
const parts: ReadonlySet<string> = new Set(
  Object.values(blockTypes).flatMap(({ content }) =>
    content === undefined || content.blocks === "flow"
      ? []
      : content.blocks.filter((type) => type !== "code-line" && type !== "list-item")
  )
)

const hasForm = (type: string): boolean => formFields(type).length > 0

/** Optional parts of a block that a person adds. Other fragments are for programs. */
const addable: ReadonlySet<string> = new Set(["caption", "else"])

const addableFragments = ({ children, type: { name } }: BlockPosition["node"]): ReadonlyArray<string> =>
  isBlockType(name)
    ? Object.keys(blockSpec(name).fragments ?? {}).filter(
        (fragment) => addable.has(fragment) && !children.some(({ type }) => type.name === fragmentName(name, fragment))
      )
    : []

/** Opens the form for the data of a block. */
export const openSettings = (view: EditorView, context: MenuContext, { node, position }: BlockPosition): void => {
  const dom = view.nodeDOM(position)
  openBlockForm(view, context, {
    type: node.type.name as BlockType,
    data: node.attrs["data"] ?? {},
    anchor: () => (dom instanceof Element && dom.isConnected ? headOf(dom) : undefined),
    onData: (data) => {
      setData(position, data)(view.state, view.dispatch)
    }
  })
}

/** Maximum height of an anchor (pixels), so that a menu of a tall block is near its start. */
const maxHead = 40

export const headOf = (dom: Element): DOMRect => {
  const { height, width, x, y } = dom.getBoundingClientRect()
  return new DOMRect(x, y, width, Math.min(height, maxHead))
}

/** Opens the menu of the block at the selection. */
export const openBlockMenu = (view: EditorView, context: MenuContext, anchor?: () => DOMRect | undefined): boolean => {
  const block = blockAtSelection(view.state)
  if (block === undefined) return false
  const { linkToBlock, nameOf, texts } = context
  const dom = view.nodeDOM(block.position)
  const run = (command: typeof deleteBlock) => () => {
    command(view.state, view.dispatch, view)
  }
  const isSeveral = view.state.selection instanceof BlockSelection
  const around = isSeveral ? [] : [block, ...blocksAround(view.state.doc.resolve(block.position))]
  const turns = turnIntoItems(view, nameOf)
  const key: unknown = block.node.attrs["key"]
  const settings = (blocks: ReadonlyArray<BlockPosition>): ReadonlyArray<MenuItem> =>
    blocks
      .filter(({ node }) => hasForm(node.type.name))
      .map((each) => ({
        label: withValues(texts.settingsOf, { name: nameOf(each.node.type.name) }),
        sign: "⚙",
        run: () => openSettings(view, context, each)
      }))
  const items: ReadonlyArray<MenuItem> = [
    ...settings(around.filter(({ node }) => !isText(node))),
    ...around
      .filter(({ node }) => parts.has(node.type.name))
      .map((each) => ({
        label: withValues(texts.addPart, { name: nameOf(each.node.type.name) }),
        sign: "+",
        run: run(addPartAfter(each))
      })),
    ...(isSeveral ? [] : addableFragments(block.node)).map((fragment) => ({
      label: withValues(texts.addPart, { name: wordOf(texts, fragment) }),
      sign: "+",
      run: run(addFragment(block, fragment))
    })),
    ...(turns.length === 0 ? [] : [{ label: texts.turnInto, sign: "⇄", items: () => turns }]),
    ...(isSeveral ? [{ label: texts.copy, sign: "⎘", run: () => document.execCommand("copy") }] : []),
    ...(pictureAtSelection(view.state) !== undefined
      ? [{ label: texts.setWidth, sign: "↔", run: run(focusWidthHandle) }]
      : []),
    { label: texts.duplicate, sign: "⧉", run: run(duplicateBlock) },
    ...(moveBlocks(-1)(view.state) ? [{ label: texts.moveUp, sign: "↑", run: run(moveBlocks(-1)) }] : []),
    ...(moveBlocks(1)(view.state) ? [{ label: texts.moveDown, sign: "↓", run: run(moveBlocks(1)) }] : []),
    ...(isSeveral || linkToBlock === undefined || typeof key !== "string"
      ? []
      : [
          {
            label: texts.copyLink,
            sign: "#",
            run: () => {
              navigator.clipboard?.writeText(linkToBlock(key)).catch(() => undefined)
            }
          }
        ]),
    // Text has little to set.
    ...settings(isText(block.node) && !isSeveral ? [block] : []),
    { label: texts.delete, sign: "✕", run: run(deleteBlock) }
  ]
  openMenu(
    view,
    isSeveral
      ? withValues(texts.selectedBlocks, { count: view.state.selection.content().content.childCount })
      : nameOf(block.node.type.name),
    anchor ?? (() => (dom instanceof Element && dom.isConnected ? headOf(dom) : undefined)),
    items
  )
  return true
}

const isText = ({ type: { name } }: BlockPosition["node"]): boolean =>
  isBlockType(name) && blockSpec(name).contentKind === "text"

/** Keys of the menu: Ctrl+/ opens it, and Enter opens the settings of a selected block. */
export const blockMenuKeys = (context: MenuContext): Plugin =>
  new Plugin({
    props: {
      handleKeyDown: keydownHandler({
        "Mod-/": (_state, _dispatch, view) => view !== undefined && openBlockMenu(view, context),
        Enter: (state, _dispatch, view) => {
          const block = "node" in state.selection ? blockAtSelection(state) : undefined
          if (view === undefined || block === undefined || !hasForm(block.node.type.name)) return false
          openSettings(view, context, block)
          return true
        }
      }),
      handleDoubleClickOn: (view, _position, node, position, _event, isDirect) => {
        if (!isDirect || !node.isBlock || node.isTextblock || !hasForm(node.type.name) || !view.editable) return false
        openSettings(view, context, { node, position })
        return true
      }
    }
  })
