/**
 * Views of blocks of code. A block has plain text first, and CodeMirror when it comes near the window or gets the
 * cursor (see `CodeEditor`).
 *
 * Limit: the plain text has the first 500 lines, and the height of all.
 */
import { baseKeymap } from "prosemirror-commands"
import type { Node } from "prosemirror-model"
import { type Command, type EditorState, Plugin, Selection } from "prosemirror-state"
import type { EditorView, NodeView, NodeViewConstructor } from "prosemirror-view"
import { extendBlocks, selectBlock, turnBlockInto } from "../BlockCommands.ts"
import { keys } from "../Keys.ts"
import type { MenuContext } from "../menu/MenuOptions.ts"
import { element } from "../menu/Popup.ts"
import type { CodeEditor } from "./CodeEditor.ts"
import { loadCode, loadedCode } from "./LateCode.ts"

const maxPlainLines = 500

/** Distance from the window at which a block gets CodeMirror. */
const visibleMargin = "600px"

/** Views by their elements. */
const views = new WeakMap<object, CodeView>()

let observer: IntersectionObserver | undefined

/** Observes elements of blocks once for all editors. */
const visibility = (): IntersectionObserver =>
  (observer ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) views.get(target)?.open()
    },
    { rootMargin: visibleMargin }
  ))

/** Returns the title and the language of a block. */
const captionOf = ({ attrs }: Node, separator: string): string => {
  const { syntax, title } = attrs["data"] ?? {}
  return [title, syntax].filter((text) => typeof text === "string" && text !== "").join(separator)
}

export const codeView =
  ({ nameOf }: Pick<MenuContext, "nameOf">): NodeViewConstructor =>
  (node, view, position) =>
    new CodeView(node, view, position, (code) => [nameOf("code"), captionOf(code, ", ")].filter(Boolean).join(": "))

class CodeView implements NodeView {
  readonly dom: HTMLElement
  readonly #view: EditorView
  readonly #position: () => number | undefined
  readonly #labelOf: (node: Node) => string
  #node: Node
  #plain: HTMLElement | undefined
  #editor: CodeEditor | undefined
  #isDestroyed = false

  constructor(node: Node, view: EditorView, position: () => number | undefined, labelOf: (node: Node) => string) {
    this.#node = node
    this.#view = view
    this.#position = position
    this.#labelOf = labelOf
    this.dom = element("pre", "")
    this.dom.dataset["block"] = "code"
    this.#plain = element("div", "lectern-code")
    this.#plain.contentEditable = "false"
    this.dom.append(this.#plain)
    this.#showCaption()
    this.#showPlain()
    views.set(this.dom, this)
    visibility().observe(this.dom)
    this.dom.addEventListener("mousedown", this.#focusEdge)
  }

  /** Opens the block in CodeMirror, as soon as that is loaded. */
  open(): void {
    if (this.#editor !== undefined || this.#isDestroyed) return
    const loaded = loadedCode()
    if (loaded === undefined) {
      loadCode().then(
        () => this.open(),
        () => undefined
      )
      return
    }
    visibility().unobserve(this.dom)
    this.#editor = new loaded.CodeEditor({
      view: this.#view,
      block: this.dom,
      node: this.#node,
      position: this.#position,
      labelOf: this.#labelOf,
      run: (key) => this.#run((keys[key] ?? baseKeymap[key])!),
      turnIntoParagraph: () => this.#run(turnBlockInto("paragraph")),
      extendSelection: (direction) => this.#run(selectBlock) && (this.#run(extendBlocks(direction)) || true)
    })
    this.#plain?.replaceWith(this.#editor.host)
    this.#plain = undefined
    // The cursor is in the block already.
    if (this.#view.hasFocus() && codeViewAt(this.#view, this.#view.state.selection) === this) this.#view.focus()
  }

  get editor(): CodeEditor | undefined {
    return this.#editor
  }

  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false
    const before = this.#node
    this.#node = node
    if (before.attrs["data"] !== node.attrs["data"]) this.#showCaption()
    this.#editor?.update(node)
    if (this.#plain !== undefined && before !== node) this.#showPlain()
    return true
  }

  setSelection(anchor: number, head: number): void {
    this.open()
    this.#editor?.select(anchor, head)
  }

  /** Selects a range of the document, which is within the block, and scrolls there. */
  reveal({ anchor, head }: Selection): void {
    const position = this.#position()
    this.open()
    if (position !== undefined) this.#editor?.reveal(anchor - position - 1, head - position - 1)
  }

  stopEvent({ target, type }: Event): boolean {
    return target !== this.dom || type === "mousedown"
  }

  ignoreMutation(): boolean {
    return true
  }

  destroy(): void {
    this.#isDestroyed = true
    visibility().unobserve(this.dom)
    const hadFocus = this.#editor?.hasFocus === true
    this.#editor?.destroy()
    if (hadFocus)
      queueMicrotask(() => {
        if (!this.#view.isDestroyed) this.#view.focus()
      })
  }

  /** Runs a command without the view, whose text at the cursor is not in the DOM. */
  #run(command: Command): boolean {
    return command(this.#view.state, this.#view.dispatch)
  }

  #showCaption(): void {
    const caption = captionOf(this.#node, " · ")
    if (caption === "") delete this.dom.dataset["label"]
    else this.dom.dataset["label"] = caption
  }

  #showPlain(): void {
    const { childCount } = this.#node
    const lines = this.#node.children.slice(0, maxPlainLines)
    this.#plain!.textContent = lines.map(({ textContent }) => textContent).join("\n") || "\n"
    this.#plain!.style.minBlockSize = `${childCount}lh`
  }

  /** A press next to the text, or before CodeMirror is loaded, puts the cursor into the block. */
  readonly #focusEdge = (event: MouseEvent): void => {
    const position = this.#position()
    if (position === undefined || (event.target !== this.dom && this.#editor !== undefined)) return
    event.preventDefault()
    const { dispatch, state } = this.#view
    dispatch(state.tr.setSelection(Selection.near(state.doc.resolve(position + 1))))
    this.#view.focus()
  }
}

/** Returns the view of the block of code that contains a selection. */
const codeViewAt = (view: EditorView, { $anchor, $head }: Selection): CodeView | undefined => {
  if ($head.parent.type.name !== "code-line" || !$anchor.node(-1)?.eq($head.node(-1))) return undefined
  const dom = view.nodeDOM($head.before(-1))
  return dom === null ? undefined : views.get(dom)
}

/** Returns CodeMirror of the block of code at a position, if it is open. */
export const codeEditorAt = (view: EditorView, position: number): CodeEditor | undefined => {
  const dom = view.nodeDOM(position)
  return dom === null ? undefined : views.get(dom)?.editor
}

type Direction = "left" | "right" | "up" | "down"

const directions: { readonly [key: string]: Direction } = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down"
}

/** Returns the start or end of the code that an arrow key reaches from the text before or after it. */
const codeNext = (state: EditorState, view: EditorView, direction: Direction): Selection | undefined => {
  const { $head, empty } = state.selection
  if (!empty || !$head.parent.isTextblock || !view.endOfTextblock(direction)) return undefined
  const isRightToLeft = getComputedStyle(view.dom).direction === "rtl"
  const isForward = direction === "down" || direction === (isRightToLeft ? "left" : "right")
  const border = state.doc.resolve(isForward ? $head.after() : $head.before())
  const next = Selection.findFrom(border, isForward ? 1 : -1)
  return next?.$head.parent.type.name === "code-line" ? next : undefined
}

export const codeBlocks = (): Plugin =>
  new Plugin({
    props: {
      handleDOMEvents: {
        focus: (view) => {
          loadCode().catch(() => undefined)
          // If a page starts with code, Chromium draws its cursor in the code, but reports the selection of the editor.
          const { $head } = Selection.atStart(view.state.doc)
          if ($head.parent.type.name === "code-line") document.getSelection()?.removeAllRanges()
        }
      },
      handleKeyDown: (view, { altKey, ctrlKey, key, metaKey, shiftKey }) => {
        const direction = directions[key]
        if (direction === undefined || altKey || ctrlKey || metaKey || shiftKey) return false
        const next = codeNext(view.state, view, direction)
        if (next === undefined) return false
        view.dispatch(view.state.tr.setSelection(next).scrollIntoView())
        return true
      },
      // Characters that are typed before CodeMirror is loaded.
      handleKeyPress: (view, { key }) => {
        if (view.state.selection.$head.parent.type.name !== "code-line" || key.length !== 1) return false
        view.dispatch(view.state.tr.insertText(key))
        return true
      },
      handleScrollToSelection: (view) => {
        const code = codeViewAt(view, view.state.selection)
        code?.reveal(view.state.selection)
        return code !== undefined
      }
    },
    view: () => ({
      update: (view, before) => {
        if (before.selection.eq(view.state.selection) && before.doc === view.state.doc) return
        const { activeElement } = view.root as Document
        if (activeElement === null || activeElement === view.dom || !view.dom.contains(activeElement)) return
        views.get(activeElement.parentElement!)?.editor?.followSelection()
      }
    })
  })
