/**
 * The document of an editor as raw Markdown, in CodeMirror. Load this module when it is needed, since it is as large as
 * the rest of the editor.
 *
 * ```ts
 * const { openRawMarkdown } = await import("@lectern/editor/raw/RawMarkdown")
 * const raw = openRawMarkdown(element, { editor, nextKey: () => crypto.randomUUID() })
 * ```
 *
 * Edits go into the document of the editor after a pause of 150 ms, or when the document is requested. So they are saved
 * like all others. Changes of the document are brought into the text. Problems are underlined by the rules of
 * `lectern lint` that need no other file.
 *
 * CodeMirror is in a shadow root: there, its styles are allowed by a strict content security policy.
 */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { type Diagnostic, linter, lintKeymap, nextDiagnostic, setDiagnosticsEffect } from "@codemirror/lint"
import { search, searchKeymap } from "@codemirror/search"
import { Annotation, EditorState, Transaction } from "@codemirror/state"
import { drawSelection, EditorView, keymap } from "@codemirror/view"
import type { Document } from "@lectern/document/Document"
import { textProblems } from "@lectern/document/lint/TextProblems"
import { textChange } from "../code/TextChange.ts"
import type { Editor } from "../Editor.ts"
import { type EditorTexts, englishTexts, withValues } from "../EditorTexts.ts"
import { button } from "../menu/Popup.ts"
import { markdownKeys } from "./MarkdownKeys.ts"
import { editOf, type MarkdownSource, sourceOf } from "./MarkdownSource.ts"
import { markdownTheme } from "./MarkdownTheme.ts"

/** Pause after the last key before the text goes into the document (ms). */
const editPause = 150
/** Maximum time that edits wait while keys follow each other (ms). */
const maxPause = 1_000
/** Pause after the last change of the document before the text follows (ms). */
const updatePause = 200

export interface RawMarkdownOptions {
  readonly editor: Editor
  /** Returns a new key of a block. */
  readonly nextKey: () => string
  /** Texts of panels. Default: English. */
  readonly texts?: Partial<EditorTexts>
  /** Name of the text for screen readers. Default: "Markdown of the page". */
  readonly label?: string
}

export interface RawMarkdown {
  readonly view: EditorView
  readonly focus: () => void
  /** Brings edits into the document at once. */
  readonly flush: () => void
  readonly close: () => void
}

/** Sources of the documents of editors, so that a text stays the same while the blocks are edited. */
const sources = new WeakMap<Editor, MarkdownSource>()

/** Marks changes that come from the document. */
const fromDocument = Annotation.define<true>()

export const openRawMarkdown = (parent: Element, options: RawMarkdownOptions): RawMarkdown => {
  const { editor, label = "Markdown of the page", nextKey } = options
  const texts: EditorTexts = { ...englishTexts, ...options.texts }
  let base: Document = editor.document()
  let source = sourceOf(base, editor.view.state.doc, nextKey, sources.get(editor))
  sources.set(editor, source)
  let waitsSince: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let updateTimer: ReturnType<typeof setTimeout> | undefined

  const host = document.createElement("div")
  host.className = "lectern-raw"
  const root = host.attachShadow({ mode: "open" })
  const status = button("lectern-raw-problems", "", "", () => {
    nextDiagnostic(view)
    view.focus()
  })
  status.hidden = true
  parent.append(host, status)

  const flush = () => {
    if (waitsSince === undefined) return
    waitsSince = undefined
    clearTimeout(timer)
    const text = view.state.doc.toString()
    const edit = editOf(text, base, editor.document(), nextKey)
    editor.edit(edit.document)
    source = edit.source(editor.view.state.doc)
    sources.set(editor, source)
  }

  /** Brings a change of the document into the text. */
  const update = () => {
    const { doc } = editor.view.state
    if (doc === source.root) return
    clearTimeout(updateTimer)
    updateTimer = setTimeout(() => {
      // An input method would lose its composition.
      if (view.composing) return update()
      flush()
      // The change was an edit of this text.
      if (editor.view.state.doc === source.root) return
      base = editor.document()
      source = sourceOf(base, editor.view.state.doc, nextKey, source)
      sources.set(editor, source)
      replaceText(view, source.text)
    }, updatePause)
  }

  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: source.text,
      extensions: [
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorView.contentAttributes.of({ "aria-label": label, dir: "auto", spellcheck: "true" }),
        EditorState.phrases.of(phrasesOf(texts)),
        search({ top: true }),
        keymap.of([...markdownKeys, ...searchKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
        linter(({ state }) => diagnosticsOf(state), { delay: 400 }),
        markdownTheme,
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          const problems = transactions.flatMap(({ effects }) => effects).find((each) => each.is(setDiagnosticsEffect))
          if (problems !== undefined) {
            const { length } = problems.value as ReadonlyArray<Diagnostic>
            status.hidden = length === 0
            status.textContent = withValues(texts.problems, { count: length })
          }
          if (!docChanged || transactions.every((each) => each.annotation(fromDocument) === true)) return
          if (state.doc.length === 0 && source.text === "") return
          const now = Date.now()
          waitsSince ??= now
          clearTimeout(timer)
          timer = setTimeout(flush, Math.min(editPause, Math.max(0, waitsSince + maxPause - now)))
        })
      ]
    })
  })
  view.contentDOM.addEventListener("blur", flush)
  const detach = editor.attach({ flush, update })
  return {
    view,
    focus: () => view.focus(),
    flush,
    close: () => {
      flush()
      clearTimeout(updateTimer)
      detach()
      view.destroy()
      host.remove()
      status.remove()
    }
  }
}

/** Replaces only the part that differs, so that the cursor and the scroll position stay. */
const replaceText = (view: EditorView, text: string): void => {
  const before = view.state.doc.toString()
  if (before === text) return
  view.dispatch({
    changes: textChange(before, text),
    annotations: [fromDocument.of(true), Transaction.addToHistory.of(false)]
  })
}

const diagnosticsOf = (state: EditorState): ReadonlyArray<Diagnostic> =>
  textProblems(state.doc.toString()).map(({ column, line, message, rule }) => {
    const { from, text, to } = state.doc.line(Math.min(line, state.doc.lines))
    const start = Math.min(from + column - 1, to)
    return {
      from: start,
      to: Math.max(start, from + text.trimEnd().length),
      severity: rule === "skipped-heading-level" ? "warning" : "error",
      source: rule,
      message
    }
  })

/** Texts of the panels of CodeMirror, by their English names. */
const phrasesOf = (texts: EditorTexts): Record<string, string> => ({
  Find: texts.find,
  Replace: texts.replaceBy,
  next: texts.findNext,
  previous: texts.findPrevious,
  all: texts.findAll,
  "match case": texts.matchCase,
  regexp: texts.regularExpression,
  "by word": texts.wholeWords,
  replace: texts.replace,
  "replace all": texts.replaceAll,
  close: texts.close,
  Diagnostics: texts.problemList,
  "No diagnostics": texts.noProblems
})
