/**
 * A block of code in CodeMirror, which renders only the visible lines. Load this module late (see `LateCode`).
 *
 * The document has the text: each edit is a transaction of the editor, and each change of the document is brought into
 * CodeMirror. So undo, merges and keys of lines are those of the editor. Keys with a modifier, and those that leave the
 * block, are the editor's too.
 *
 * CodeMirror is in a shadow root: there, its styles are allowed by a strict content security policy.
 *
 * Limit: a block of more than 50,000 characters has no highlights.
 */
import { indentLess, indentMore, insertNewlineKeepIndent, standardKeymap } from "@codemirror/commands"
import { LanguageDescription } from "@codemirror/language"
import { languages } from "@codemirror/language-data"
import {
  Annotation,
  Compartment,
  EditorState,
  type Extension,
  Prec,
  RangeSetBuilder,
  StateEffect,
  StateField,
  Text,
  type Transaction
} from "@codemirror/state"
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers } from "@codemirror/view"
import { type Node, Slice } from "prosemirror-model"
import { Selection, TextSelection } from "prosemirror-state"
import type { EditorView as PageView } from "prosemirror-view"
import { addEdit, changeTo, linesOf, offsetOfPosition, positionOfOffset } from "./CodePositions.ts"
import { codeTheme } from "./CodeTheme.ts"

/** Maximum number of characters of a block that is highlighted, as in sites. A larger block stays plain. */
const maxHighlighted = 50_000

export interface CodeEditorOptions {
  readonly view: PageView
  /** Element of the block. */
  readonly block: HTMLElement
  readonly node: Node
  /** Returns the position of the block. */
  readonly position: () => number | undefined
  /** Returns the name for screen readers. */
  readonly labelOf: (node: Node) => string
  /** Runs the command of a key of the editor. Returns false if it does not apply. */
  readonly run: (key: string) => boolean
  /** Turns the block into a paragraph. */
  readonly turnIntoParagraph: () => boolean
  /** Selects the block and the next one. */
  readonly extendSelection: (direction: -1 | 1) => boolean
}

/** Range of a match of a search, as positions within the content of the block. */
export interface FoundRange {
  readonly from: number
  readonly to: number
  readonly isCurrent: boolean
}

/** Marks transactions that bring a change of the document into the text. */
const fromDocument = Annotation.define<true>()

const setFound = StateEffect.define<DecorationSet>()

const foundRanges = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (ranges, { changes, effects }) =>
    effects.reduce((latest, effect) => (effect.is(setFound) ? effect.value : latest), ranges.map(changes)),
  provide: (field) => EditorView.decorations.from(field)
})

const foundMark = Decoration.mark({ class: "cm-found" })
const currentFoundMark = Decoration.mark({ class: "cm-found-current" })
const highlightedLine = Decoration.line({ class: "cm-highlighted" })

/** Keys with a modifier that edit the text or move in it, and the clipboard. */
const ownKeys: ReadonlySet<string> = new Set([
  "Backspace",
  "Delete",
  "ArrowLeft",
  "ArrowRight",
  "a",
  "c",
  "v",
  "x",
  "insert"
])

export class CodeEditor {
  readonly host: HTMLElement
  readonly #options: CodeEditorOptions
  readonly #view: EditorView
  readonly #settings = new Compartment()
  readonly #language = new Compartment()
  #node: Node
  #syntax = ""
  /** True while an edit of the text is applied to the document, or a selection to it. */
  #isForwarding = false

  constructor(options: CodeEditorOptions) {
    this.#options = options
    this.#node = options.node
    this.host = document.createElement("div")
    this.host.className = "lectern-code"
    this.host.contentEditable = "false"
    const root = this.host.attachShadow({ mode: "open" })
    this.#view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: Text.of(linesOf(options.node) as Array<string>),
        extensions: [
          this.#settings.of(this.#settingsOf(options.node)),
          this.#language.of([]),
          foundRanges,
          EditorView.decorations.of((view) => this.#highlightedLines(view)),
          EditorState.tabSize.of(2),
          options.view.editable ? [] : [EditorState.readOnly.of(true), EditorView.editable.of(false)],
          Prec.highest(EditorView.domEventHandlers(this.#events())),
          keymap.of([...this.#keys(), ...standardKeymap]),
          EditorView.updateListener.of(({ focusChanged, view }) => {
            if (focusChanged && view.hasFocus) this.#forwardSelection()
          }),
          codeTheme
        ]
      }),
      dispatchTransactions: (transactions, view) => {
        // The document first: if it refuses an edit, the text has not changed.
        this.#forward(transactions, view)
        view.update(transactions)
      }
    })
    this.#setLanguage(options.node)
  }

  get hasFocus(): boolean {
    return this.#view.hasFocus
  }

  /** Brings a newer version of the block into the text. */
  update(node: Node): void {
    const before = this.#node
    this.#node = node
    if (before.attrs["data"] !== node.attrs["data"]) {
      this.#view.dispatch({
        effects: this.#settings.reconfigure(this.#settingsOf(node)),
        annotations: fromDocument.of(true)
      })
    }
    if (this.#isForwarding || before === node) return
    const changes = changeTo(this.#view.state.doc, before, node)
    this.#view.dispatch({ ...(changes !== undefined && { changes }), annotations: fromDocument.of(true) })
  }

  /** Selects a range between two positions within the content of the block, and puts the focus there. */
  select(anchor: number, head: number): void {
    this.#setSelection(anchor, head)
    if (!this.#view.hasFocus) this.#view.focus()
  }

  /** Selects a range between two positions within the content of the block, and scrolls there. */
  reveal(anchor: number, head: number): void {
    this.#setSelection(anchor, head)
    this.#view.dispatch({
      effects: EditorView.scrollIntoView(this.#view.state.selection.main.head),
      annotations: fromDocument.of(true)
    })
  }

  #setSelection(anchor: number, head: number): void {
    const { doc, selection } = this.#view.state
    const range = { anchor: offsetOfPosition(doc, anchor), head: offsetOfPosition(doc, head) }
    const { main } = selection
    if (range.anchor !== main.anchor || range.head !== main.head)
      this.#view.dispatch({ selection: range, annotations: fromDocument.of(true) })
  }

  /** Applies the selection of the editor, or moves the focus there if it is outside of the block. */
  followSelection(): void {
    const { view } = this.#options
    const { selection } = view.state
    const start = this.#start()
    if (this.#isForwarding || start === undefined) return
    const isWithin =
      selection instanceof TextSelection && selection.from >= start && selection.to < start + this.#node.content.size
    if (isWithin) this.select(selection.anchor - start, selection.head - start)
    else view.focus()
  }

  /** Marks the matches of a search. */
  mark(ranges: ReadonlyArray<FoundRange>): void {
    const { doc } = this.#view.state
    const builder = new RangeSetBuilder<Decoration>()
    for (const { from, isCurrent, to } of ranges)
      builder.add(offsetOfPosition(doc, from), offsetOfPosition(doc, to), isCurrent ? currentFoundMark : foundMark)
    this.#view.dispatch({ effects: setFound.of(builder.finish()), annotations: fromDocument.of(true) })
  }

  destroy(): void {
    this.#view.destroy()
    this.host.remove()
  }

  /** Returns the position of the content of the block. */
  #start(): number | undefined {
    const position = this.#options.position()
    return position === undefined ? undefined : position + 1
  }

  #settingsOf(node: Node): Extension {
    const { lineNumbers: hasLineNumbers, overflow } = node.attrs["data"] ?? {}
    return [
      hasLineNumbers === true ? lineNumbers() : [],
      overflow === "wrap" ? EditorView.lineWrapping : [],
      EditorView.contentAttributes.of({ "aria-label": this.#options.labelOf(node) })
    ]
  }

  #setLanguage(node: Node): void {
    const value: unknown = node.attrs["data"]?.syntax
    const syntax = typeof value === "string" && node.content.size <= maxHighlighted ? value : ""
    if (syntax === this.#syntax) return
    this.#syntax = syntax
    const set = (language: Extension) => {
      if (this.#syntax === syntax)
        this.#view.dispatch({ effects: this.#language.reconfigure(language), annotations: fromDocument.of(true) })
    }
    const description = syntax === "" ? null : LanguageDescription.matchLanguageName(languages, syntax)
    if (description === null) return set([])
    description.load().then(set, () => set([]))
  }

  #highlightedLines({ state, visibleRanges }: EditorView): DecorationSet {
    const lines = new RangeSetBuilder<Decoration>()
    for (const { from, to } of visibleRanges)
      for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
        const node = this.#node.maybeChild(line.number - 1)
        if (node?.attrs["data"]?.highlighted === true) lines.add(line.from, line.from, highlightedLine)
        if (line.to >= to || line.number === state.doc.lines) break
      }
    return lines.finish()
  }

  /** Applies edits of the text, and its selection, to the document. */
  #forward(transactions: ReadonlyArray<Transaction>, { hasFocus }: EditorView): void {
    const own = transactions.filter((each) => each.annotation(fromDocument) !== true)
    const isEdit = own.some(({ docChanged }) => docChanged)
    if (!isEdit && !(hasFocus && own.some(({ selection }) => selection !== undefined))) return
    const start = this.#start()
    if (start === undefined) return
    const { view } = this.#options
    const { tr } = view.state
    for (const { changes, docChanged, startState } of own) if (docChanged) addEdit(tr, start, startState.doc, changes)
    const { newDoc, newSelection } = own.at(-1)!
    const [anchor, head] = [newSelection.main.anchor, newSelection.main.head].map((offset) =>
      tr.doc.resolve(start + positionOfOffset(newDoc, offset))
    )
    this.#isForwarding = true
    try {
      view.dispatch(tr.setSelection(new TextSelection(anchor!, head!)))
    } finally {
      this.#isForwarding = false
    }
  }

  #forwardSelection(): void {
    this.#view.dispatch({ selection: this.#view.state.selection })
  }

  #events() {
    const { block, run, view } = this.#options
    return {
      keydown: (event: KeyboardEvent) => {
        const isShared = event.ctrlKey || event.metaKey || event.altKey || event.key === "Escape"
        if (!isShared || event.isComposing || ownKeys.has(event.key)) return false
        return view.someProp("handleKeyDown", (handle) => handle(view, event)) === true
      },
      beforeinput: ({ inputType }: InputEvent) => {
        const command = inputType === "historyUndo" ? "Mod-z" : inputType === "historyRedo" ? "Mod-y" : undefined
        return command !== undefined && run(command)
      },
      copy: (event: ClipboardEvent) => this.#copy("copy", event),
      cut: (event: ClipboardEvent) => this.#copy("cut", event),
      paste: (event: ClipboardEvent) =>
        view.editable && view.someProp("handlePaste", (handle) => handle(view, event, Slice.empty)) === true,
      // Files and blocks go into the page, as if they were dropped on the block.
      drop: (event: DragEvent) => {
        if (view.dragging === null && (event.dataTransfer?.files.length ?? 0) === 0) return false
        event.stopPropagation()
        block.dispatchEvent(new DragEvent("drop", event))
        return true
      }
    }
  }

  #copy(type: "copy" | "cut", event: ClipboardEvent): boolean {
    const { view } = this.#options
    return (
      view.someProp("handleDOMEvents", (handlers) => handlers[type]?.call(undefined as never, view, event)) === true
    )
  }

  #keys() {
    const { run, turnIntoParagraph } = this.#options
    const isEmptyAt = (edge: number) => {
      const { main } = this.#view.state.selection
      return main.empty && main.head === edge
    }
    const end = () => this.#view.state.doc.length
    return [
      { key: "ArrowUp", run: () => this.#isAtEdge(-1) && this.#leave(-1), shift: () => this.#extend(-1) },
      { key: "ArrowDown", run: () => this.#isAtEdge(1) && this.#leave(1), shift: () => this.#extend(1) },
      { key: "ArrowLeft", run: () => isEmptyAt(0) && this.#leave(-1) },
      { key: "ArrowRight", run: () => isEmptyAt(end()) && this.#leave(1) },
      { key: "Backspace", run: () => isEmptyAt(0) && ((end() === 0 && turnIntoParagraph()) || run("Backspace")) },
      { key: "Delete", run: () => isEmptyAt(end()) && run("Delete") },
      { key: "Enter", run: insertNewlineKeepIndent },
      { key: "Tab", run: this.#indent, shift: indentLess },
      {
        // All of the code first, then all of the page.
        key: "Mod-a",
        run: () => {
          const { from, to } = this.#view.state.selection.main
          return from === 0 && to === end() && run("Mod-a")
        }
      }
    ]
  }

  /** Indents the selected lines, or inserts two spaces. */
  readonly #indent = (view: EditorView): boolean => {
    if (!view.state.selection.main.empty) return indentMore(view)
    view.dispatch({ ...view.state.replaceSelection("  "), userEvent: "input" })
    return true
  }

  /** True if the cursor is in the first or last line that is displayed. A line that is wrapped has several. */
  #isAtEdge(direction: -1 | 1): boolean {
    const { doc, selection } = this.#view.state
    const { empty, head } = selection.main
    const edge = direction < 0 ? 0 : doc.length
    if (!empty || doc.lineAt(head).number !== doc.lineAt(edge).number) return false
    const [cursor, limit] = [this.#view.coordsAtPos(head), this.#view.coordsAtPos(edge)]
    return cursor === null || limit === null || Math.abs(cursor.top - limit.top) < 2
  }

  /** Moves the cursor out of the block. Returns false if nothing follows. */
  #leave(direction: -1 | 1): boolean {
    const { view } = this.#options
    const start = this.#start()
    if (start === undefined) return false
    const border = direction < 0 ? start - 1 : start + this.#node.content.size + 1
    const next = Selection.findFrom(view.state.doc.resolve(border), direction)
    if (next === null) return false
    view.dispatch(view.state.tr.setSelection(next).scrollIntoView())
    return true
  }

  /** Extends the selection out of the block. */
  #extend(direction: -1 | 1): boolean {
    const { doc, selection } = this.#view.state
    const edge = direction < 0 ? 0 : doc.length
    const isAtEdge = doc.lineAt(selection.main.head).number === doc.lineAt(edge).number
    return isAtEdge && this.#options.extendSelection(direction)
  }
}
