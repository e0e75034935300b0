/**
 * Copies and pastes.
 *
 * - A copy has three forms: the editor's own, which keeps all data of blocks, HTML, and Markdown as plain text.
 * - A paste takes the editor's own form first. Within code it takes plain text. Otherwise HTML, of which only the
 *   vocabulary of documents survives (see `HtmlSlices`), or plain text: cells become a table, a URL a link, and text that
 *   looks like Markdown is parsed as such.
 * - With Shift, plain text stays plain.
 *
 * Pictures with data are files for the host (see `MenuOptions.addFiles`), never `data:` URLs. Limits: 8 MiB of text or
 * HTML, and the size of tables in `NewTable`.
 */
import type { ContentRef } from "@lectern/document/Document"
import { Fragment, Slice } from "prosemirror-model"
import { Plugin, PluginKey, type SelectionBookmark, type Transaction } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { codeLine, inlineName, schema } from "../EditorSchema.ts"
import { withValues } from "../EditorTexts.ts"
import type { MenuContext } from "../menu/MenuOptions.ts"
import { notify } from "../menu/Notice.ts"
import { boundedSize, isTitleRow, tableOfCells } from "../table/NewTable.ts"
import { fillCells } from "../table/TableCommands.ts"
import type { PastedHtml } from "./HtmlSlices.ts"
import { loadedMarkdown, type LoadedMarkdown, loadMarkdown } from "./LateMarkdown.ts"

/** Type of the editor's own form in the clipboard. */
export const ownType = "application/x-lectern-slice+json"

const maxCharacters = 8 * 1024 * 1024

export interface ClipboardOptions extends MenuContext {
  readonly nextKey: () => string
}

/** Positions of pastes that wait for Markdown, by the paste. */
type WaitingPastes = ReadonlyMap<object, SelectionBookmark>

const waitingPastes = new PluginKey<WaitingPastes>("waitingPastes")

interface WaitingPasteChange {
  readonly paste: object
  readonly isEnd?: true
}

const updateWaitingPastes = (tr: Transaction, pastes: WaitingPastes): WaitingPastes => {
  const change: WaitingPasteChange | undefined = tr.getMeta(waitingPastes)
  if (change === undefined && (pastes.size === 0 || !tr.docChanged)) return pastes
  const updated = new Map(Array.from(pastes, ([paste, position]) => [paste, position.map(tr.mapping)]))
  if (change?.isEnd === true) updated.delete(change.paste)
  else if (change !== undefined) updated.set(change.paste, tr.selection.getBookmark())
  return updated
}

export const clipboard = (options: ClipboardOptions): Plugin =>
  new Plugin<WaitingPastes>({
    key: waitingPastes,
    state: { init: () => new Map(), apply: updateWaitingPastes },
    props: {
      handleDOMEvents: {
        focus: () => {
          loadMarkdown().catch(() => undefined)
        },
        copy: (view, event) => copy(view, event, false),
        cut: (view, event) => copy(view, event, true)
      },
      handlePaste: (view, event) => paste(view, event.clipboardData, isShifted(view), options),
      handleDrop: (view, event) => hasFiles(event.dataTransfer) && addFiles(view, event.dataTransfer, options),
      clipboardTextSerializer: (slice) => textOf(slice)
    }
  })

/** True while Shift is held. The view of ProseMirror keeps it for its own paste of plain text. */
const isShifted = (view: EditorView): boolean =>
  (view as unknown as { readonly input?: { readonly shiftKey?: boolean } }).input?.shiftKey === true

const copy = (view: EditorView, event: ClipboardEvent, isCut: boolean): boolean => {
  const { clipboardData } = event
  if (view.state.selection.empty || clipboardData === null) return false
  const slice = view.state.selection.content()
  const { dom, text } = view.serializeForClipboard(slice)
  event.preventDefault()
  clipboardData.clearData()
  clipboardData.setData(ownType, JSON.stringify(slice.toJSON()))
  clipboardData.setData("text/html", dom.innerHTML)
  clipboardData.setData("text/plain", text)
  if (isCut && view.editable) view.dispatch(view.state.tr.deleteSelection().scrollIntoView().setMeta("uiEvent", "cut"))
  return true
}

const hasFiles = (data: DataTransfer | null): data is DataTransfer => data !== null && data.files.length > 0

const addFiles = (view: EditorView, data: DataTransfer, { addFiles }: ClipboardOptions): boolean =>
  addFiles?.(Array.from(data.files), view) === true

const paste = (view: EditorView, data: DataTransfer | null, isPlain: boolean, options: ClipboardOptions): boolean => {
  if (data === null) return false
  const text = data.getData("text/plain").replaceAll(/\r\n?/g, "\n").slice(0, maxCharacters)
  const isCode = view.state.selection.$from.parent.type.name === "code-line"
  if (isCode) return text === "" ? hasFiles(data) && addFiles(view, data, options) : insert(view, codeSlice(text))
  if (isPlain) return false
  const own = ownSlice(data.getData(ownType))
  if (own !== undefined) return insert(view, own)
  if (data.getData("vscode-editor-data") !== "") {
    const program = programOf(data, text)
    if (program === undefined) return insert(view, plainSlice(text))
    return program.syntax === "markdown"
      ? insertMarkdown(view, text, options)
      : insert(view, programSlice(program, text))
  }
  const html = data.getData("text/html")
  const hasHtml = html !== "" && html.length <= maxCharacters
  if (hasFiles(data) && !(hasHtml && hasText(html)) && addFiles(view, data, options)) return true
  const cells = cellsOf(text)
  // Cells as text are enough where HTML is too large.
  if (cells !== undefined && !hasHtml) return insertCells(view, cells, options)
  if (!hasHtml) {
    if (isUrl(text)) return insertUrl(view, text.trim(), options)
    return looksLikeMarkdown(text) && insertMarkdown(view, text, options)
  }
  return insertHtml(view, html, text, options)
}

/** True if HTML has more than a picture, which a browser adds to the file of a copied picture. */
const hasText = (html: string): boolean =>
  /[^\s]/.test(html.replaceAll(/<!--[\s\S]*?-->|<(?:style|script)[\s\S]*?<\/(?:style|script)>|<[^>]*>|&nbsp;/gi, ""))

const isUrl = (text: string): boolean => /^https?:\/\/[^\s<>"]+$/i.test(text.trim())

/** Makes the selected text a link, or inserts the URL as one. */
const insertUrl = (view: EditorView, url: string, { refOfUrl }: ClipboardOptions): boolean => {
  const { empty, from, $from, $to, to } = view.state.selection
  const mark = schema.mark(inlineName("link"), { data: { ref: refOfUrl?.(url) ?? { kind: "url", url } } })
  if (!$from.sameParent($to) || !$from.parent.type.allowsMarkType(mark.type)) return false
  const tr = view.state.tr
  if (empty) tr.replaceWith(from, to, schema.text(url, mark.addToSet($from.marks())))
  else tr.addMark(from, to, mark)
  view.dispatch(asPaste(tr.removeStoredMark(mark.type)))
  return true
}

/** Returns the rows of cells that are separated by tabs. Undefined for any other text. */
const cellsOf = (text: string): ReadonlyArray<string> | undefined => {
  if (!text.includes("\t")) return undefined
  const rows = text.replace(/\n$/, "").split("\n")
  const [first] = rows
  // Indented text starts with its tabs.
  if (rows.length < 2 || /^\t*\S[^\t]*$/.test(first!)) return undefined
  const count = first!.split("\t").length
  return rows.slice(1, 10).every((row) => row.split("\t").length === count) ? rows : undefined
}

const insertCells = (view: EditorView, rows: ReadonlyArray<string>, options: ClipboardOptions): boolean => {
  const allColumns = rows[0]!.split("\t").length
  const size = boundedSize(rows.length, allColumns)
  const texts = rows.slice(0, size.rows).map((row) => row.split("\t", size.columns))
  const isHead = isTitleRow(texts[0]!)
  const cell = (text: string) => [schema.node("paragraph", null, text === "" ? [] : [schema.text(text)])]
  const table = tableOfCells(
    isHead ? texts[0] : undefined,
    (isHead ? texts.slice(1) : texts).map((row) => row.map(cell))
  )
  insert(view, new Slice(Fragment.from(table), 0, 0))
  if (size.rows < rows.length || size.columns < allColumns) {
    notify(view, withValues(options.texts.tableCut, { ...size, allRows: rows.length, allColumns }))
  }
  return true
}

const asPaste = (tr: Transaction): Transaction => tr.scrollIntoView().setMeta("paste", true).setMeta("uiEvent", "paste")

const insert = (view: EditorView, slice: Slice): boolean => {
  const [table] = slice.content.content
  // Cells go into the cells of a table.
  if (slice.content.childCount === 1 && table!.type.name === "table") {
    if (fillCells(table!)(view.state, (tr) => view.dispatch(asPaste(tr)))) return true
  }
  view.dispatch(asPaste(view.state.tr.replaceSelection(slice)))
  return true
}

const insertMarkdown = (view: EditorView, text: string, options: ClipboardOptions): boolean =>
  insertLate(view, options, ({ parseMarkdown }) => ({ slice: parseMarkdown(text, options.nextKey), files: [] }), text)

/** Inserts HTML, and its plain text if the HTML has nothing for a document. */
const insertHtml = (view: EditorView, html: string, text: string, options: ClipboardOptions): boolean => {
  const refOf = (url: string): ContentRef => options.refOfUrl?.(url) ?? { kind: "url", url }
  return insertLate(
    view,
    options,
    ({ parseHtml }) => parseHtml(html, refOf) ?? { slice: plainSlice(text), files: [] },
    text
  )
}

/**
 * Inserts content whose parser may have to be loaded first. The content goes where the selection was. Without a response
 * of the server, the text is inserted without its format.
 */
const insertLate = (
  view: EditorView,
  options: ClipboardOptions,
  parse: (loaded: LoadedMarkdown) => PastedHtml,
  text: string
): boolean => {
  const end = ({ cut, files }: Omit<PastedHtml, "slice">) => {
    if (cut !== undefined) notify(view, withValues(options.texts.tableCut, { ...cut }))
    if (files.length > 0) options.addFiles?.(files, view)
  }
  const loaded = loadedMarkdown()
  if (loaded !== undefined) {
    const pasted = parse(loaded)
    insert(view, pasted.slice)
    end(pasted)
    return true
  }
  const paste = {}
  view.dispatch(view.state.tr.setMeta(waitingPastes, { paste } satisfies WaitingPasteChange))
  const finish = (slice: Slice) => {
    const position = view.isDestroyed ? undefined : waitingPastes.getState(view.state)?.get(paste)
    if (position === undefined) return
    const { doc, tr } = view.state
    const { from, to } = position.resolve(doc)
    view.dispatch(
      asPaste(tr.replaceRange(from, to, slice)).setMeta(waitingPastes, {
        paste,
        isEnd: true
      } satisfies WaitingPasteChange)
    )
  }
  loadMarkdown().then(
    (loaded) => {
      const pasted = parse(loaded)
      finish(pasted.slice)
      end(pasted)
    },
    () => {
      finish(plainSlice(text))
      notify(view, options.texts.markdownNotLoaded)
    }
  )
  return true
}

const plainSlice = (text: string): Slice =>
  new Slice(
    Fragment.from(text.split("\n").map((line) => schema.node("paragraph", null, line === "" ? [] : schema.text(line)))),
    1,
    1
  )

/** Returns the slice of the editor's own form. Undefined if it is absent, too large or invalid. */
const ownSlice = (json: string): Slice | undefined => {
  if (json === "" || json.length > maxCharacters) return undefined
  try {
    const slice = Slice.fromJSON(schema, JSON.parse(json))
    slice.content.forEach((node) => node.check())
    return slice
  } catch {
    return undefined
  }
}

const codeSlice = (text: string): Slice => new Slice(Fragment.from(text.split("\n").map(codeLine)), 1, 1)

/** A program of several lines that was copied from an editor of programs. */
interface Program {
  readonly syntax?: string
}

const programOf = (data: DataTransfer, text: string): Program | undefined => {
  if (!text.includes("\n")) return undefined
  const { mode } = parsed(data.getData("vscode-editor-data"))
  return typeof mode === "string" && /^[\w+#-]{1,40}$/.test(mode) && mode !== "plaintext" ? { syntax: mode } : {}
}

const programSlice = (program: Program, text: string): Slice =>
  new Slice(Fragment.from(schema.node("code", { data: program }, text.split("\n").map(codeLine))), 0, 0)

const parsed = (json: string): { readonly mode?: unknown } => {
  try {
    return Object(JSON.parse(json))
  } catch {
    return {}
  }
}

/** Signs of Markdown that hardly occur in prose: two of the first kind, or one of the second. */
const weakSign = /^(?:[-*+] |\d{1,3}[.)] |> )|\*\*[^*\n]+\*\*|`[^`\n]+`/gm
const strongSign = /^#{1,6} \S|^```|^\|.*\|[ \t]*\n\|[ :|-]+\|[ \t]*$|\[[^\]\n]+\]\([^)\s]+\)|^\{% \w/m

export const looksLikeMarkdown = (text: string): boolean =>
  strongSign.test(text) || (text.match(weakSign)?.length ?? 0) >= 2

/** Returns a slice as Markdown. Parts of blocks become plain text, and so does everything until Markdown is loaded. */
const textOf = ({ content, openStart }: Slice): string => {
  const isPartOfCode = openStart > 0 && content.childCount === 1 && content.firstChild!.type.name === "code"
  const isFlow = !isPartOfCode && content.content.every(({ type }) => type.isInGroup("flow"))
  const markdown = loadedMarkdown()
  if (isFlow && markdown !== undefined) return markdown.printMarkdown(content)
  return content.textBetween(0, content.size, "\n", (leaf) => (leaf.type.name === "inline:hard-break" ? "\n" : ""))
}
