/** A sentence below the text about the last paste, until the next edit. Screen readers read it aloud. */
import { Plugin, PluginKey } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { element } from "./Popup.ts"

const noticeKey = new PluginKey<string>("notice")

export const notify = (view: EditorView, text: string): void => {
  if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(noticeKey, text))
}

export const notice = (): Plugin =>
  new Plugin<string>({
    key: noticeKey,
    state: {
      init: () => "",
      apply: (tr, text) => tr.getMeta(noticeKey) ?? (tr.docChanged ? "" : text)
    },
    view: (view) => {
      const status = element("div", "lectern-notice")
      status.role = "status"
      view.dom.after(status)
      return {
        update: () => {
          const text = noticeKey.getState(view.state) ?? ""
          if (status.textContent !== text) status.textContent = text
        },
        destroy: () => status.remove()
      }
    }
  })
