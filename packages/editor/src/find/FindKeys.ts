/** Ctrl+F opens the panel that finds and replaces. Without a response of the server, the browser's own search stays. */
import { keydownHandler } from "prosemirror-keymap"
import { Plugin } from "prosemirror-state"
import { codeEditorAt } from "../code/CodeViews.ts"
import type { MenuContext } from "../menu/MenuOptions.ts"

export const findKeys = (context: MenuContext): Plugin =>
  new Plugin({
    props: {
      handleKeyDown: keydownHandler({
        "Mod-f": (_state, _dispatch, view) => {
          if (view === undefined) return false
          import("./FindPanel.ts").then(
            ({ openFindPanel }) => {
              if (!view.isDestroyed) openFindPanel(view, context, codeEditorAt)
            },
            () => undefined
          )
          return true
        }
      })
    }
  })
