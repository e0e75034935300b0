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
import type { Block } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { Fragment, type Node, Slice } from "prosemirror-model"
import { Plugin } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { documentOf, flowNodes } from "./DocumentNodes.ts"
import { schema } from "./EditorSchema.ts"

/** Type of the editor's own form in the clipboard. */
export const ownType = "application/x-lectern-slice+json"

const maxCharacters = 8 * 1024 * 1024

export interface ClipboardOptions {
  readonly nextKey: () => string
  /** Takes files that were pasted or dropped. Returns true if it did. Default: files are ignored. */
  readonly addFiles?: (files: ReadonlyArray<File>, view: EditorView) => boolean
}

export const clipboard = (options: ClipboardOptions): Plugin =>
  new Plugin({
    props: {
      handleDOMEvents: {
        copy: (view, event) => copy(view, event, false),
        cut: (view, event) => copy(view, event, true)
      },
      handlePaste: (view, event) => paste(view, event.clipboardData, isShifted(view), options),
      handleDrop: (view, event) => hasFiles(event.dataTransfer) && addFiles(view, event.dataTransfer, options),
      clipboardTextSerializer: (slice) => markdownOf(slice)
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
  if (data.getData("vscode-editor-data") !== "" && text.includes("\n")) return insert(view, programSlice(data, text))
  if (data.getData("text/html") !== "" || !looksLikeMarkdown(text)) return false
  return insert(view, markdownSlice(text, options.nextKey))
}

const insert = (view: EditorView, slice: Slice): boolean => {
  view.dispatch(
    view.state.tr.replaceSelection(slice).scrollIntoView().setMeta("paste", true).setMeta("uiEvent", "paste")
  )
  return true
}

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

/** A program that was copied from an editor of programs, which says its language. */
const programSlice = (data: DataTransfer, text: string): Slice => {
  const { mode } = parsed(data.getData("vscode-editor-data"))
  const syntax =
    typeof mode === "string" && /^[\w+#-]{1,40}$/.test(mode) && mode !== "plaintext" ? { syntax: mode } : {}
  if (mode === "markdown") return markdownSlice(text, () => "")
  return new Slice(Fragment.from(schema.node("code", { data: syntax }, text.split("\n").map(codeLine))), 0, 0)
}

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

const markdownSlice = (text: string, nextKey: () => string): Slice => {
  const nodes = flowNodes(Markdown.parse(text, { nextKey }).document.nodes)
  // Words within one paragraph are pasted into the text at the cursor.
  const depth = nodes.length === 1 && nodes[0]!.type.name === "paragraph" ? 1 : 0
  return new Slice(Fragment.from(withoutKeys(nodes)), depth, depth)
}

/** Pasted blocks get new keys (see `BlockKeys`). */
const withoutKeys = (nodes: ReadonlyArray<Node>): ReadonlyArray<Node> =>
  nodes.map((node) => {
    if (node.isText) return node
    const attrs = "key" in node.attrs ? { ...node.attrs, key: null } : node.attrs
    return node.type.create(attrs, withoutKeys(node.children), node.marks)
  })

/** Returns a slice as Markdown. Parts of blocks become plain text. */
const markdownOf = ({ content }: Slice): string => {
  const isFlow = content.content.every(({ type }) => type.isInGroup("flow"))
  if (content.content.every(({ isInline }) => isInline)) return content.textBetween(0, content.size, "\n")
  if (!isFlow) return content.textBetween(0, content.size, "\n", "")
  const blocks: ReadonlyArray<Block> = documentOf(schema.nodes["doc"]!.create(null, content), {}).nodes
  return Markdown.print({ object: "document", data: {}, nodes: blocks }).trimEnd()
}
