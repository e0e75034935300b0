/**
 * Handles at the edge of a picture and of the columns of a table, which change the width: those of the block under the
 * pointer or with the selection. A drag by mouse or touch displays an outline, and the text stays where it is until the
 * end. A drag is one edit, and Escape cancels it. Double click returns to the automatic width.
 *
 * For the keyboard each handle is a separator. Left and Right move it, with Shift by larger steps, Home and End go to the
 * limits, Delete returns to the automatic width, Escape to the text.
 *
 * Widths are set by script, which a strict content security policy allows.
 */
import type { Node } from "prosemirror-model"
import { redo, undo } from "prosemirror-history"
import { keydownHandler } from "prosemirror-keymap"
import { type Command, Plugin } from "prosemirror-state"
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view"
import { positionOf } from "../DocumentUpdate.ts"
import { withValues } from "../EditorTexts.ts"
import type { MenuContext } from "../menu/MenuOptions.ts"
import { element } from "../menu/Popup.ts"
import { cellAtSelection, cellStart, viewOf } from "../table/TableCommands.ts"
import {
  columnLimits,
  columnWidth,
  isGrid,
  type Limits,
  pictureAtSelection,
  pictureLimits,
  pictureSize,
  setColumnWidth,
  setPictureWidth,
  type Size,
  tableAtSelection
} from "./Widths.ts"

/** Movement after which a press is a drag (pixels). */
const dragDistance = 3
/** Steps of the keyboard, without and with Shift. */
const steps: { readonly [_ in Size["unit"]]: readonly [number, number] } = { px: [10, 50], "%": [1, 10] }

/** A picture or a column. */
interface Resizable {
  readonly kind: "picture" | "column"
  readonly name: string
  readonly unit: Size["unit"]
  /** Width in the document. Undefined: automatic. */
  readonly width: number | undefined
  readonly limits: Limits
  /** Box whose width changes, in the window. */
  readonly box: () => DOMRect
  /** Box of the handle: height and visible part. */
  readonly track: () => DOMRect
  /** Width of a unit, and the largest width that a drag can display (pixels). */
  readonly scale: () => { readonly pixels: number; readonly max: number }
  readonly set: (width: number | undefined) => Command
  /** Scrolls to the box. */
  readonly reveal: () => void
}

const pictureOf = (view: EditorView, position: number, { texts }: MenuContext): Resizable | undefined => {
  const node = view.state.doc.nodeAt(position)
  const figure = view.nodeDOM(position)
  const image = figure instanceof HTMLElement ? figure.querySelector<HTMLElement>(":scope > div > img") : null
  if (node === null || image === null || !(figure instanceof HTMLElement)) return undefined
  const { unit = "px", value } = pictureSize(node.attrs["data"]?.width) ?? {}
  const sized = unit === "%" ? figure : image
  const available = () => (unit === "%" ? figure : image).parentElement!.getBoundingClientRect().width
  return {
    kind: "picture",
    name: texts.pictureWidth,
    unit,
    width: value,
    limits: pictureLimits[unit],
    box: () => sized.getBoundingClientRect(),
    track: () => {
      const { left, width } = sized.getBoundingClientRect()
      const { top, height } = image.getBoundingClientRect()
      return new DOMRect(left, top, width, height)
    },
    scale: () => ({ pixels: unit === "%" ? available() / 100 : 1, max: available() }),
    set: (width) => setPictureWidth(position, width),
    reveal: () => image.scrollIntoView({ block: "nearest", inline: "nearest" })
  }
}

const columnsOf = (view: EditorView, position: number, { texts }: MenuContext): ReadonlyArray<Resizable> => {
  const table = view.state.doc.nodeAt(position)
  const tableElement = view.nodeDOM(position)
  if (table === null || !(tableElement instanceof HTMLElement) || !isGrid(table)) return []
  const row = viewOf(table)["hideHeader"] === true ? 1 : 0
  if (row >= table.childCount) return []
  return table.firstChild!.children.flatMap((title, column): ReadonlyArray<Resizable> => {
    const cell = view.nodeDOM(cellStart({ table, position, row: 0, column: 0 }, row, column))
    if (!(cell instanceof HTMLElement)) return []
    const id: string = title.attrs["column"]
    return [
      {
        kind: "column",
        name: withValues(texts.columnWidth, { name: title.textContent.trim() || column + 1 }),
        unit: "px",
        width: columnWidth(table, id),
        limits: columnLimits,
        box: () => {
          const { left, width } = cell.getBoundingClientRect()
          const { top, height } = tableElement.getBoundingClientRect()
          return new DOMRect(left, top, width, height)
        },
        track: () => {
          const { top, height } = cell.getBoundingClientRect()
          const { left, width } = tableElement.getBoundingClientRect()
          return new DOMRect(left, top, width, height)
        },
        scale: () => ({ pixels: 1, max: columnLimits.max }),
        set: (width) => (state, dispatch) => {
          const { scrollLeft } = tableElement
          const isDone = setColumnWidth(position, id, width)(state, dispatch)
          // The element of the table is a new one.
          const current = view.nodeDOM(position)
          if (current instanceof HTMLElement) current.scrollLeft = scrollLeft
          return isDone
        },
        reveal: () => cell.scrollIntoView({ block: "nearest", inline: "nearest" })
      }
    ]
  })
}

const clamp = (value: number, { max, min }: Limits): number => Math.max(min, Math.min(max, Math.round(value)))

/** Returns the width as a whole number within the limits, also if it is automatic. */
const currentWidth = ({ box, limits, scale, width }: Resizable): number =>
  clamp(width ?? box().width / scale().pixels, limits)

/** The handle of one picture or column. */
class WidthHandle {
  readonly element = element("div", "lectern-width")
  readonly #view: EditorView
  readonly #context: MenuContext
  readonly #outline: HTMLElement
  #item: Resizable | undefined
  /** Cancels the drag. Undefined if no drag is in progress. */
  #cancel: (() => void) | undefined

  constructor(view: EditorView, context: MenuContext, outline: HTMLElement) {
    this.#view = view
    this.#context = context
    this.#outline = outline
    const handle = this.element
    handle.role = "separator"
    handle.ariaOrientation = "vertical"
    handle.tabIndex = 0
    handle.title = context.texts.widthHint
    const by = (direction: 1 | -1, size: 0 | 1): Command =>
      this.#command((item) => currentWidth(item) + direction * this.#sign() * steps[item.unit][size])
    const keys = keydownHandler({
      ArrowRight: by(1, 0),
      ArrowLeft: by(-1, 0),
      "Shift-ArrowRight": by(1, 1),
      "Shift-ArrowLeft": by(-1, 1),
      Home: this.#command(({ limits }) => limits.min),
      End: this.#command(({ limits }) => limits.max),
      Delete: this.#command(() => undefined),
      Backspace: this.#command(() => undefined),
      "Mod-z": undo,
      "Mod-Shift-z": redo,
      "Mod-y": redo,
      Escape: () => {
        view.focus()
        return true
      }
    })
    handle.addEventListener("keydown", (event) => {
      if (keys(view, event)) event.preventDefault()
    })
    handle.addEventListener("focus", () => this.#item?.reveal())
    handle.addEventListener("pointerdown", (event) => this.#startDrag(event))
    handle.addEventListener("dblclick", () => this.#run(() => undefined))
  }

  get isBusy(): boolean {
    return this.#cancel !== undefined || document.activeElement === this.element
  }

  /** Undefined hides the handle. */
  show(item: Resizable | undefined): void {
    this.#item = item
    if (item === undefined) {
      this.#cancel?.()
      this.element.hidden = true
      return
    }
    const { limits, name, unit, width } = item
    const now = currentWidth(item)
    const text = `${now.toLocaleString()} ${unit}`
    this.element.ariaLabel = name
    this.element.ariaValueMin = String(limits.min)
    this.element.ariaValueMax = String(limits.max)
    this.element.ariaValueNow = String(now)
    this.element.ariaValueText =
      width === undefined ? withValues(this.#context.texts.automaticWidth, { width: text }) : text
    this.updatePosition()
  }

  readonly updatePosition = (): void => {
    const item = this.#item
    if (item === undefined) return
    const { element } = this
    element.hidden = false
    const { width } = element.getBoundingClientRect()
    const [box, track] = [item.box(), item.track()]
    const edge = this.#sign() > 0 ? box.right : box.left
    const isVisible = box.width > 0 && edge >= track.left - 1 && edge <= track.right + 1
    element.hidden = !isVisible && !this.isBusy
    // A handle on the edge of a picture is in it, so that it is in the window, too.
    const left = item.kind === "column" ? edge - width / 2 : this.#sign() > 0 ? edge - width : edge
    element.style.left = `${Math.max(0, Math.min(left, document.documentElement.clientWidth - width))}px`
    element.style.top = `${track.top}px`
    element.style.height = `${track.height}px`
  }

  /** 1 if a box grows to the right, -1 if it grows to the left. */
  #sign(): 1 | -1 {
    return getComputedStyle(this.#view.dom).direction === "rtl" ? -1 : 1
  }

  #command(next: (item: Resizable) => number | undefined): Command {
    return () => {
      this.#run(next)
      return true
    }
  }

  #run(next: (item: Resizable) => number | undefined): void {
    const item = this.#item
    if (item === undefined) return
    const width = next(item)
    item.set(width === undefined ? undefined : clamp(width, item.limits))(this.#view.state, this.#view.dispatch)
  }

  #startDrag(start: PointerEvent): void {
    // The focus stays in the text.
    start.preventDefault()
    const item = this.#item
    if (start.button !== 0 || item === undefined || this.#cancel !== undefined) return
    const handle = this.element
    const outline = this.#outline
    const startWidth = item.box().width
    let width: number | undefined
    const stop = () => {
      handle.removeEventListener("pointermove", move)
      handle.removeEventListener("pointerup", up)
      handle.removeEventListener("pointercancel", stop)
      document.removeEventListener("keydown", escape, true)
      outline.hidden = true
      this.#cancel = undefined
    }
    const move = ({ clientX }: PointerEvent) => {
      const item = this.#item!
      const distance = (clientX - start.clientX) * this.#sign()
      if (outline.hidden && Math.abs(distance) < dragDistance) return
      const { max, pixels } = item.scale()
      width = clamp(Math.min(startWidth + distance, Math.max(max, startWidth)) / pixels, item.limits)
      const box = item.box()
      outline.hidden = false
      outline.textContent = `${width.toLocaleString()} ${item.unit}`
      const size = width * pixels
      outline.style.left = `${this.#sign() > 0 ? box.left : box.right - size}px`
      outline.style.top = `${box.top}px`
      outline.style.width = `${size}px`
      outline.style.height = `${item.kind === "picture" ? (box.height * size) / box.width : box.height}px`
    }
    const up = () => {
      const isChanged = width !== undefined && width !== clamp(startWidth / item.scale().pixels, item.limits)
      stop()
      if (isChanged) this.#run(() => width)
    }
    const escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return
      event.preventDefault()
      event.stopPropagation()
      stop()
    }
    this.#cancel = stop
    handle.setPointerCapture(start.pointerId)
    handle.addEventListener("pointermove", move)
    handle.addEventListener("pointerup", up)
    handle.addEventListener("pointercancel", stop)
    document.addEventListener("keydown", escape, true)
  }
}

/** Functions that move the focus to the handle of the picture or column at the selection. */
const focusByView = new WeakMap<EditorView, () => void>()

/** Moves the focus to the handle of the picture or column at the selection. */
export const focusWidthHandle: Command = (state, dispatch, view) => {
  const cell = cellAtSelection(state)
  if (pictureAtSelection(state) === undefined && (cell === undefined || !isGrid(cell.table))) return false
  if (dispatch !== undefined && view !== undefined) focusByView.get(view)?.()
  return true
}

/** Returns the widths of columns, as classes and variables of the cells at the top. */
const widthDecorations = (doc: Node): DecorationSet => {
  const decorations: Array<Decoration> = []
  doc.descendants((table, position) => {
    if (table.type.name !== "table") return !table.isTextblock
    if (!isGrid(table)) return true
    table.firstChild!.children.forEach((title, column) => {
      const width = columnWidth(table, title.attrs["column"])
      if (width === undefined) return
      for (const row of [0, 1].slice(0, table.childCount)) {
        const at = cellStart({ table, position, row, column }, row, column)
        const end = at + table.child(row).child(column).nodeSize
        decorations.push(Decoration.node(at, end, { class: "lectern-sized", style: `--lectern-width: ${width}px` }))
      }
    })
    return true
  })
  return DecorationSet.create(doc, decorations)
}

export const widthHandles = (context: MenuContext): Plugin<DecorationSet> => {
  const plugin: Plugin<DecorationSet> = new Plugin<DecorationSet>({
    state: {
      init: (_, { doc }) => widthDecorations(doc),
      apply: (tr, decorations) => (tr.docChanged ? widthDecorations(tr.doc) : decorations)
    },
    props: { decorations: (state) => plugin.getState(state) },
    view: (view) => {
      const parent = view.dom.parentElement!
      const outline = element("div", "lectern-width-outline")
      outline.hidden = true
      parent.append(outline)
      const handles: { readonly [_ in Resizable["kind"]]: Array<WidthHandle> } = { picture: [], column: [] }
      const all = () => [...handles.picture, ...handles.column]
      /** Keys of the blocks under the pointer. */
      let hovered: { readonly picture?: string; readonly table?: string } = {}
      /** Keys of the blocks with handles. They stay while a handle has the focus or is dragged. */
      let shown = hovered

      const keyAt = (position: number | undefined): string | undefined =>
        position === undefined ? undefined : view.state.doc.nodeAt(position)?.attrs["key"]
      const show = (kind: Resizable["kind"], items: ReadonlyArray<Resizable>) => {
        const list = handles[kind]
        while (list.length < items.length) {
          const handle = new WidthHandle(view, context, outline)
          list.push(handle)
          // In the order of the page after the text, which Tab follows.
          parent.append(handle.element)
        }
        list.forEach((handle, i) => handle.show(items[i]))
      }
      const update = () => {
        const { state } = view
        if (!all().some(({ isBusy }) => isBusy)) {
          const hasFocus = view.dom.contains(document.activeElement)
          const picture = hovered.picture ?? (hasFocus ? keyAt(pictureAtSelection(state)) : undefined)
          const table = hovered.table ?? (hasFocus ? keyAt(tableAtSelection(state)) : undefined)
          shown = { ...(picture !== undefined && { picture }), ...(table !== undefined && { table }) }
        }
        const positionFor = (key: string | undefined) =>
          key === undefined || !view.editable ? undefined : positionOf(state.doc, key)?.position
        const [picture, table] = [positionFor(shown.picture), positionFor(shown.table)]
        const item = picture === undefined ? undefined : pictureOf(view, picture, context)
        show("picture", item === undefined ? [] : [item])
        show("column", table === undefined ? [] : columnsOf(view, table, context))
      }
      const updatePositions = () => {
        for (const handle of all()) handle.updatePosition()
      }
      const keyOf = (dom: Element | null): string | undefined => {
        if (dom === null || !view.dom.contains(dom)) return undefined
        const position = view.posAtDOM(dom, 0) - 1
        return view.nodeDOM(position) === dom ? keyAt(position) : undefined
      }
      const hover = ({ target }: Event) => {
        if (!(target instanceof Element)) return
        const picture = keyOf(target.closest('[data-block="image"]'))
        const table = keyOf(target.closest('[data-block="table"]'))
        if (picture === hovered.picture && table === hovered.table) return
        hovered = { ...(picture !== undefined && { picture }), ...(table !== undefined && { table }) }
        update()
      }
      const leave = ({ pointerType, relatedTarget }: PointerEvent) => {
        // A finger leaves when it is lifted.
        if (pointerType !== "mouse" || all().some((handle) => handle.element === relatedTarget)) return
        hovered = {}
        update()
      }
      const refresh = () =>
        setTimeout(() => {
          if (!view.isDestroyed) update()
        })
      focusByView.set(view, () => {
        hovered = {}
        update()
        const isPicture = pictureAtSelection(view.state) !== undefined
        const column = cellAtSelection(view.state)?.column ?? 0
        const handle = isPicture ? handles.picture[0] : handles.column[column]
        handle?.element.focus()
      })
      view.dom.addEventListener("pointermove", hover)
      view.dom.addEventListener("pointerdown", hover)
      view.dom.addEventListener("pointerleave", leave)
      // A picture that is loaded has its width.
      view.dom.addEventListener("load", updatePositions, true)
      parent.addEventListener("focusin", refresh)
      parent.addEventListener("focusout", refresh)
      addEventListener("scroll", updatePositions, { capture: true, passive: true })
      addEventListener("resize", updatePositions)
      return {
        update,
        destroy: () => {
          view.dom.removeEventListener("pointermove", hover)
          view.dom.removeEventListener("pointerdown", hover)
          view.dom.removeEventListener("pointerleave", leave)
          view.dom.removeEventListener("load", updatePositions, true)
          parent.removeEventListener("focusin", refresh)
          parent.removeEventListener("focusout", refresh)
          removeEventListener("scroll", updatePositions, { capture: true })
          removeEventListener("resize", updatePositions)
          for (const handle of all()) {
            handle.show(undefined)
            handle.element.remove()
          }
          outline.remove()
        }
      }
    }
  })
  return plugin
}
