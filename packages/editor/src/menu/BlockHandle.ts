/**
 * The handle at the start of the block under the pointer, or of the block with the cursor on a touch screen: a button
 * that adds a block below, and one that moves the block when it is dragged, by mouse and by touch, or opens its menu. A
 * line shows where the block goes. All of it is also possible by keys (see `BlockMenu`, `Keys`).
 */
import { NodeSelection, Plugin } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import {
  addParagraphAfter,
  type BlockPosition,
  blockAtSelection,
  blocksAround,
  isHandled,
  moveBlockTo,
  selectBlockAt
} from "../BlockCommands.ts"
import { BlockSelection } from "../BlockSelection.ts"
import { openBlockMenu } from "./BlockMenu.ts"
import type { MenuContext } from "./MenuOptions.ts"
import { button, element } from "./Popup.ts"

/** Movement after which a press is a drag (pixels). */
const dragDistance = 4
/** Distance from the edge of the window in which a drag scrolls (pixels). */
const scrollEdge = 40
const scrollStep = 16
/** Width of the numbers of a list in the margin (pixels). */
const markerWidth = 24

/** Returns the block under a point. */
const blockAtPoint = (view: EditorView, clientX: number, clientY: number): BlockPosition | undefined => {
  const { left, right } = view.dom.getBoundingClientRect()
  // A point in the margin belongs to the block next to it.
  const x = Math.max(left + 64, Math.min(clientX, right - 64))
  const found = view.posAtCoords({ left: x, top: clientY })
  if (found === null) return undefined
  const { inside, pos } = found
  const node = inside < 0 ? null : view.state.doc.nodeAt(inside)
  if (node !== null && node.isAtom && isHandled(node)) return { node, position: inside }
  return blocksAround(view.state.doc.resolve(pos))[0]
}

/** The position between two blocks that a point is nearest to, and the line that shows it. */
interface DropPosition {
  readonly target: number
  readonly top: number
  readonly left: number
  readonly width: number
}

const dropPosition = (view: EditorView, moved: number, event: PointerEvent): DropPosition | undefined => {
  const block = blockAtPoint(view, event.clientX, event.clientY)
  if (block === undefined) return undefined
  const around = [block, ...blocksAround(view.state.doc.resolve(block.position))]
  for (const { node, position } of around) {
    const dom = view.nodeDOM(position)
    if (!(dom instanceof Element)) continue
    const { bottom, left, top, width } = dom.getBoundingClientRect()
    const isAfter = event.clientY > (top + bottom) / 2
    const target = isAfter ? position + node.nodeSize : position
    if (moveBlockTo(moved, target)(view.state)) return { target, top: isAfter ? bottom : top, left, width }
  }
  return undefined
}

/** Adds a paragraph at the end, when the empty space below the last block is pressed. */
const addLastParagraph = (view: EditorView, event: MouseEvent): boolean => {
  const { lastChild } = view.state.doc
  const last = view.dom.lastElementChild
  const isBelow = event.target === view.dom && last !== null && event.clientY > last.getBoundingClientRect().bottom
  if (!isBelow || !view.editable || lastChild === null) return false
  if (lastChild.type.name === "paragraph" && lastChild.content.size === 0) return false
  event.preventDefault()
  addParagraphAfter({ node: lastChild, position: view.state.doc.content.size - lastChild.nodeSize })(
    view.state,
    view.dispatch
  )
  view.focus()
  return true
}

export const blockHandle = (context: MenuContext): Plugin =>
  new Plugin({
    props: { handleDOMEvents: { mousedown: addLastParagraph } },
    view: (view) => {
      const { texts } = context
      const handle = element("div", "lectern-handle")
      const line = element("div", "lectern-drop-line")
      line.hidden = true
      handle.hidden = true
      let block: BlockPosition | undefined
      let isDragging = false

      const current = (): BlockPosition | undefined => {
        const { doc } = view.state
        const node = block && block.position < doc.content.size ? doc.nodeAt(block.position) : null
        return block !== undefined && node !== null && isHandled(node) ? { node, position: block.position } : undefined
      }
      const updatePosition = () => {
        const shown = view.editable ? current() : undefined
        const dom = shown && view.nodeDOM(shown.position)
        handle.hidden = !(dom instanceof HTMLElement)
        if (!(dom instanceof HTMLElement)) return
        const box = dom.getBoundingClientRect()
        const editor = view.dom.getBoundingClientRect()
        const isRightToLeft = getComputedStyle(view.dom).direction === "rtl"
        const style = getComputedStyle(dom)
        const lineHeight = Number.parseFloat(style.lineHeight) || Number.parseFloat(style.fontSize) * 1.5
        const { height, width } = handle.getBoundingClientRect()
        const middle = Number.parseFloat(style.paddingTop) + Math.min(lineHeight, box.height) / 2
        const top = box.top + middle - height / 2
        handle.style.top = `${top}px`
        // Outside of the text and of the numbers of a list, as far as the window has room for it.
        const inner = isRightToLeft ? box.right : box.left - width
        const outer = isRightToLeft
          ? Math.min(editor.right + markerWidth, innerWidth) - width
          : Math.max(editor.left - markerWidth, 0)
        handle.style.left = `${dom.parentElement === view.dom ? inner : outer}px`
        handle.hidden = top < 0 || top > innerHeight
      }
      const show = (next: BlockPosition | undefined) => {
        if (next === undefined || isDragging) return
        block = next
        updatePosition()
      }
      const add = button("lectern-handle-add", "+", texts.addBlock, () => {
        const shown = current()
        if (shown === undefined) return
        addParagraphAfter(shown)(view.state, view.dispatch)
        view.focus()
        view.dispatch(view.state.tr.insertText("/"))
      })
      const grip = button("lectern-handle-grip", "⠿", texts.blockMenu, () => undefined)
      grip.ariaHasPopup = "menu"
      for (const each of [add, grip]) each.tabIndex = -1
      handle.append(add, grip)
      view.dom.parentElement!.append(handle, line)

      const openMenu = () => {
        const shown = current()
        if (shown === undefined) return
        const { selection } = view.state
        const isAmongSelected =
          selection instanceof BlockSelection && shown.position >= selection.from && shown.position < selection.to
        if (!isAmongSelected && NodeSelection.isSelectable(shown.node))
          selectBlockAt(shown.position)(view.state, view.dispatch)
        openBlockMenu(view, context, () => grip.getBoundingClientRect())
      }
      grip.addEventListener("click", (event) => {
        // A press of a key, or of a screen reader.
        if (event.detail === 0) openMenu()
      })
      grip.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return
        event.preventDefault()
        const start = event
        let drop: DropPosition | undefined
        const stop = (isDone: boolean) => {
          grip.removeEventListener("pointermove", move)
          grip.removeEventListener("pointerup", up)
          grip.removeEventListener("pointercancel", cancel)
          document.removeEventListener("keydown", escape, true)
          line.hidden = true
          const shown = current()
          const wasDragging = isDragging
          isDragging = false
          if (!isDone) return
          if (!wasDragging) return openMenu()
          if (drop === undefined || shown === undefined) return
          moveBlockTo(shown.position, drop.target)(view.state, view.dispatch)
          view.focus()
        }
        const move = (event: PointerEvent) => {
          const distance = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY)
          if (!isDragging && distance < dragDistance) return
          isDragging = true
          if (event.clientY < scrollEdge) scrollBy(0, -scrollStep)
          else if (event.clientY > innerHeight - scrollEdge) scrollBy(0, scrollStep)
          const shown = current()
          drop = shown && dropPosition(view, shown.position, event)
          line.hidden = drop === undefined
          if (drop === undefined) return
          line.style.top = `${drop.top - 2}px`
          line.style.left = `${drop.left}px`
          line.style.width = `${drop.width}px`
        }
        const up = () => stop(true)
        const cancel = () => stop(false)
        const escape = (event: KeyboardEvent) => {
          if (event.key !== "Escape") return
          event.preventDefault()
          event.stopPropagation()
          stop(false)
        }
        grip.setPointerCapture(event.pointerId)
        grip.addEventListener("pointermove", move)
        grip.addEventListener("pointerup", up)
        grip.addEventListener("pointercancel", cancel)
        document.addEventListener("keydown", escape, true)
      })

      const hover = (event: PointerEvent) => {
        if (event.pointerType === "mouse") show(blockAtPoint(view, event.clientX, event.clientY))
      }
      view.dom.addEventListener("pointermove", hover)
      addEventListener("scroll", updatePosition, { capture: true, passive: true })
      addEventListener("resize", updatePosition)
      return {
        update: (view, before) => {
          if (isDragging) return
          if (matchMedia("(hover: none)").matches && view.dom.contains(document.activeElement))
            return show(blockAtSelection(view.state))
          if (before.doc !== view.state.doc) updatePosition()
        },
        destroy: () => {
          view.dom.removeEventListener("pointermove", hover)
          removeEventListener("scroll", updatePosition, { capture: true })
          removeEventListener("resize", updatePosition)
          handle.remove()
          line.remove()
        }
      }
    }
  })
