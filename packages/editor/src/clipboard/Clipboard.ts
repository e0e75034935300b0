/**
 * Copies and pastes.
 *
 * - A copy has three forms: the editor's own, which keeps all data of blocks, HTML, and Markdown as plain text.
 * - A paste takes the editor's own form first. Within code it takes plain text. Otherwise HTML, of which only the
 *   vocabulary of documents survives, or plain text, which is parsed as Markdown if it looks like it.
 * - With Shift, plain text stays plain.
 *
 * Pictures in HTML are not taken as `data:` URLs; files are for the host (see `EditorOptions.addFiles`). Limits: 8 MiB of
 * text or HTML.
 */
import { Fragment, type Node, Slice } from "prosemirror-model"
import { Plugin, PluginKey, type SelectionBookmark, type Transaction } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { schema } from "../EditorSchema.ts"
import { loadedMarkdown, loadMarkdown } from "./LateMarkdown.ts"

/** Type of the editor's own form in the clipboard. */
export const ownType = "application/x-lectern-slice+json"

const maxCharacters = 8 * 1024 * 1024

export interface ClipboardOptions {
  readonly nextKey: () => string
  /** Takes files that were pasted, dropped or chosen. Returns true if it did. Default: files are ignored. */
  readonly addFiles?: (files: ReadonlyArray<File>, view: EditorView) => boolean
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
  if (isCode) return text !== "" && insert(view, codeSlice(text))
  if (isPlain) return false
  const own = ownSlice(data.getData(ownType))
  if (own !== undefined) return insert(view, own)
  if (hasFiles(data) && data.getData("text/html") === "" && addFiles(view, data, options)) return true
  const program = programOf(data, text)
  if (program?.syntax === "markdown") return insertMarkdown(view, text, options)
  if (program !== undefined) return insert(view, programSlice(program, text))
  if (data.getData("text/html") !== "" || !looksLikeMarkdown(text)) return false
  return insertMarkdown(view, text, options)
}

const asPaste = (tr: Transaction): Transaction => tr.scrollIntoView().setMeta("paste", true).setMeta("uiEvent", "paste")

const insert = (view: EditorView, slice: Slice): boolean => {
  view.dispatch(asPaste(view.state.tr.replaceSelection(slice)))
  return true
}

/** Inserts Markdown, also if it has to be loaded first. The text goes where the selection was, or stays plain without it. */
const insertMarkdown = (view: EditorView, text: string, { nextKey }: ClipboardOptions): boolean => {
  const loaded = loadedMarkdown()
  if (loaded !== undefined) return insert(view, loaded.parseMarkdown(text, nextKey))
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
    ({ parseMarkdown }) => finish(parseMarkdown(text, nextKey)),
    () => finish(plainSlice(text))
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

const codeLine = (text: string): Node => schema.node("code-line", { data: {} }, text === "" ? [] : [schema.text(text)])

const codeSlice = (text: string): Slice => new Slice(Fragment.from(text.split("\n").map(codeLine)), 1, 1)

/** A program of several lines that was copied from an editor of programs. */
interface Program {
  readonly syntax?: string
}

const programOf = (data: DataTransfer, text: string): Program | undefined => {
  const source = data.getData("vscode-editor-data")
  if (source === "" || !text.includes("\n")) return undefined
  const { mode } = parsed(source)
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
const textOf = ({ content }: Slice): string => {
  const isFlow = content.content.every(({ type }) => type.isInGroup("flow"))
  const markdown = loadedMarkdown()
  if (isFlow && markdown !== undefined) return markdown.printMarkdown(content)
  return content.textBetween(0, content.size, "\n", (leaf) => (leaf.type.name === "inline:hard-break" ? "\n" : ""))
}
