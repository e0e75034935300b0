/**
 * An editor of one document in a page. It needs no server: `onEdit` is called after each edit, and `set` brings in a
 * newer version.
 *
 * ```ts
 * const editor = openEditor(element, { document, nextKey: () => crypto.randomUUID(), onEdit: () => save(editor.document()) })
 * ```
 *
 * Styles are those of the host; `editor.css` of this package has a start. Nothing here needs `unsafe-inline`.
 */
import type { Document } from "@lectern/document/Document"
import { dropCursor } from "prosemirror-dropcursor"
import { gapCursor } from "prosemirror-gapcursor"
import { history } from "prosemirror-history"
import { type Command, EditorState, Selection } from "prosemirror-state"
import { EditorView } from "prosemirror-view"
import { giveAllKeys, giveKeys } from "./BlockKeys.ts"
import { selectedBlocks } from "./BlockSelection.ts"
import { blockViews, type ViewOptions } from "./BlockViews.ts"
import { clipboard } from "./clipboard/Clipboard.ts"
import { codeBlocks } from "./code/CodeViews.ts"
import { documentNode, documentOf } from "./DocumentNodes.ts"
import { documentUpdate, editTo, positionOf, updateTo } from "./DocumentUpdate.ts"
import { inlineName, schema } from "./EditorSchema.ts"
import { findKeys } from "./find/FindKeys.ts"
import { markdownRules } from "./InputRules.ts"
import { editorKeys } from "./Keys.ts"
import { linkView } from "./LinkView.ts"
import { blockHandle } from "./menu/BlockHandle.ts"
import { blockMenuKeys } from "./menu/BlockMenu.ts"
import { emojiMenu, mentionMenu } from "./menu/MentionMenu.ts"
import { menuContext, type MenuOptions } from "./menu/MenuOptions.ts"
import { notice } from "./menu/Notice.ts"
import { selectionBar } from "./menu/SelectionBar.ts"
import { slashMenu } from "./menu/SlashMenu.ts"
import { tableBar } from "./menu/TableBar.ts"
import { widthHandles } from "./width/WidthHandles.ts"

export interface EditorOptions extends Partial<ViewOptions>, MenuOptions {
  readonly document: Document
  /** Returns a new key of a block. Keys of a document must be unique among all of its versions. */
  readonly nextKey: () => string
  /** Called after each edit, but not after `set`. */
  readonly onEdit?: () => void
  /** False to show the document only. Default: true. */
  readonly isEditable?: boolean
  /** Name of the text for screen readers. Default: "Text of the page". */
  readonly label?: string
}

/** Another view of the document, such as raw Markdown. */
export interface AttachedView {
  /** Called before the document is read: brings edits that wait into the document. */
  readonly flush: () => void
  /** Called after each change of the document. */
  readonly update: () => void
}

export interface Editor {
  readonly view: EditorView
  /** Returns the current document. */
  readonly document: () => Document
  /** Runs a command, such as those in `Commands`. Returns false if it does not apply at the selection. */
  readonly run: (command: Command) => boolean
  /** Puts the cursor at the start of the block with a key, and scrolls there. */
  readonly goTo: (key: string) => void
  /** Replaces the document by an edit: it can be undone, and `onEdit` is called. */
  readonly edit: (document: Document) => void
  /** Brings waiting edits of attached views into the document. */
  readonly flush: () => void
  /** Attaches another view of the document. Returns a function that detaches it. */
  readonly attach: (view: AttachedView) => () => void
  /** Replaces the document, without an edit of one's own. */
  readonly set: (document: Document) => void
  readonly close: () => void
}

export const openEditor = (parent: Element, options: EditorOptions): Editor => {
  const { isEditable = true, label = "Text of the page", onEdit } = options
  let { data } = options.document
  const attached = new Set<AttachedView>()
  const context = menuContext(options)
  const opened = EditorState.create({
    schema,
    doc: documentNode(options.document),
    plugins: [
      // A menu has the keys before the text does.
      slashMenu(context),
      ...(context.findLinks === undefined ? [] : [mentionMenu(context)]),
      emojiMenu(context),
      selectionBar(context),
      tableBar(context),
      blockMenuKeys(context),
      findKeys(context),
      blockHandle(context),
      widthHandles(context),
      selectedBlocks(context),
      codeBlocks(),
      markdownRules(),
      ...editorKeys(),
      history(),
      clipboard({ ...context, nextKey: options.nextKey }),
      notice(),
      dropCursor({ class: "lectern-drop" }),
      gapCursor()
    ]
  })
  const state = opened.apply(giveAllKeys(opened.tr, options.nextKey))
  const view: EditorView = new EditorView(parent, {
    state,
    editable: () => isEditable,
    attributes: { "aria-label": label, "aria-multiline": "true", role: "textbox", class: "lectern-editor" },
    nodeViews: blockViews({ ...options, nameOf: context.nameOf }),
    markViews: { [inlineName("link")]: linkView(context) },
    dispatchTransaction: (tr) => {
      const { state, transactions } = view.state.applyTransaction(giveKeys(tr, options.nextKey))
      view.updateState(state)
      if (!transactions.some(({ docChanged }) => docChanged)) return
      for (const each of attached) each.update()
      if (transactions.some((each) => each.docChanged && each.getMeta(documentUpdate) !== true)) onEdit?.()
    }
  })
  const flush = () => {
    for (const each of attached) each.flush()
  }
  const document = () => {
    flush()
    return documentOf(view.state.doc, data)
  }
  const set = (next: Document) => {
    data = next.data
    view.dispatch(updateTo(view.state, documentNode(next)))
  }
  return {
    set,
    view,
    document,
    flush,
    goTo: (key) => {
      const found = positionOf(view.state.doc, key)
      if (found === undefined) return
      const { doc, tr } = view.state
      view.dispatch(tr.setSelection(Selection.near(doc.resolve(found.position + 1))).scrollIntoView())
      view.focus()
    },
    edit: (next) => {
      data = next.data
      view.dispatch(editTo(view.state, documentNode(next)))
    },
    attach: (other) => {
      attached.add(other)
      return () => attached.delete(other)
    },
    run: (command) => command(view.state, view.dispatch, view),
    close: () => view.destroy()
  }
}
