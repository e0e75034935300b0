/** Edits the link at the selection, or makes one (Ctrl+K). Without a selection, the title of the target becomes text. */
import type { ContentRef } from "@lectern/document/Document"
import type { Mark, Node } from "prosemirror-model"
import type { EditorState } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { inlineName, schema } from "../EditorSchema.ts"
import type { MenuContext } from "../menu/MenuOptions.ts"
import { button, rectAt } from "../menu/Popup.ts"
import { openForm } from "./FormPopup.ts"
import { linkInput, textOfRef } from "./LinkInput.ts"

const linkType = schema.marks[inlineName("link")]!

export interface LinkRange {
  readonly from: number
  readonly to: number
  /** The existing link. */
  readonly mark?: Mark
}

const linkOf = (node: Node | null | undefined): Mark | undefined => node?.marks.find(({ type }) => type === linkType)

/** Returns the link around the cursor, or the selected text. */
export const linkRange = ({ selection: { $from, empty, from, to } }: EditorState): LinkRange => {
  const { parent } = $from
  const mark = linkOf(parent.maybeChild($from.index())) ?? (empty ? linkOf($from.nodeBefore) : undefined)
  if (mark === undefined) return { from, to }
  if (!empty) return { from, to, mark }
  let start = $from.start()
  let found: LinkRange = { from, to, mark }
  let runStart: number | undefined
  parent.forEach((child) => {
    const isPart = linkOf(child)?.eq(mark) === true
    if (isPart) runStart ??= start
    start += child.nodeSize
    if (isPart && runStart! <= from && start >= to) found = { from: runStart!, to: start, mark }
    if (!isPart) runStart = undefined
  })
  return found
}

/** Opens the form. Returns false if no link is allowed at the selection, such as in code. */
export const openLinkForm = (view: EditorView, context: MenuContext): boolean => {
  const { $from, $to } = view.state.selection
  if (!$from.parent.isTextblock || !$from.sameParent($to) || !$from.parent.type.allowsMarkType(linkType)) return false
  const { from, mark, to } = linkRange(view.state)
  const { texts } = context
  const link = linkInput(context, mark?.attrs["data"]?.ref)
  const apply = (ref: ContentRef | null, title?: string) => {
    const tr = view.state.tr
    tr.removeMark(from, to, linkType)
    if (ref !== null) {
      const data = { ...mark?.attrs["data"], ref }
      if (from === to) tr.insertText(title ?? textOfRef(ref), from)
      const end = from === to ? tr.selection.to : to
      tr.addMark(from, end, linkType.create({ ...mark?.attrs, data })).removeStoredMark(linkType)
    }
    view.dispatch(tr.scrollIntoView())
  }
  openForm(view, context, {
    label: texts.link,
    anchor: () => rectAt(view, from, to),
    fields: [link.element],
    buttons: (close) =>
      mark === undefined
        ? []
        : [
            button("lectern-button", texts.removeLink, texts.removeLink, () => {
              apply(null)
              close()
            })
          ],
    apply: () => {
      const ref = link.ref()
      if (ref === undefined) return link.input
      apply(ref, link.title())
      return undefined
    }
  })
  return true
}
