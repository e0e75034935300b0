/**
 * The bar of the selected text: marks, link, turn into. It appears when a selection is complete, and Alt+F10 moves the
 * focus into it. On a touch screen it is below the text, since the browser's own menu is above.
 */
import type { MarkType } from "@lectern/document/vocabulary/MarkTypes"
import { keydownHandler } from "prosemirror-keymap"
import { type EditorState, Plugin, TextSelection } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { turnBlockInto, turnIntoTypes } from "../BlockCommands.ts"
import * as Commands from "../Commands.ts"
import { inlineName, markName, schema } from "../EditorSchema.ts"
import { signOf } from "../EditorTexts.ts"
import { openLinkForm } from "../form/LinkForm.ts"
import { openMenu } from "./Menu.ts"
import type { MenuContext } from "./MenuOptions.ts"
import { rectAt } from "./Popup.ts"
import { Toolbar } from "./Toolbar.ts"

const hasBar = ({ doc, selection }: EditorState): boolean => {
  if (!(selection instanceof TextSelection) || selection.empty) return false
  if (selection.$from.parent.type.spec.code === true || selection.$to.parent.type.spec.code === true) return false
  return doc.textBetween(selection.from, selection.to).trim() !== ""
}

export const selectionBar = (context: MenuContext): Plugin => {
  const { nameOf, texts } = context
  let bar: Toolbar | undefined
  return new Plugin({
    props: {
      handleKeyDown: keydownHandler({
        "Mod-k": (_state, _dispatch, view) => view !== undefined && openLinkForm(view, context),
        "Alt-F10": () => {
          if (bar?.popup.isOpen !== true) return false
          bar.focus()
          return true
        }
      }),
      handleClickOn: (view, _position, _node, _nodePosition, event) => {
        const href = (event.target as Element).closest("a[data-inline=link]")?.getAttribute("href")
        if (typeof href !== "string" || !view.editable || !(event.ctrlKey || event.metaKey)) return false
        open(href, "_blank", "noopener")
        return true
      }
    },
    view: (view) => {
      const toggleButton = (mark: MarkType, text: string, label: string) => ({
        text,
        label,
        className: `lectern-tool-${mark}`,
        isPressed: () => isMarked(view.state, markName(mark)),
        run: () => {
          Commands.toggle(mark)(view.state, view.dispatch)
          view.focus()
        }
      })
      const toolbar = new Toolbar(view, texts.formatting, [
        toggleButton("bold", "B", texts.bold),
        toggleButton("italic", "I", texts.italic),
        toggleButton("strikethrough", "S", texts.strikethrough),
        toggleButton("code", "</>", texts.code),
        {
          text: texts.link,
          label: texts.link,
          isPressed: () => isMarked(view.state, inlineName("link")),
          run: () => openLinkForm(view, context)
        },
        {
          text: texts.turnInto,
          label: texts.turnInto,
          hasMenu: true,
          run: (made) =>
            openMenu(
              view,
              texts.turnInto,
              () => made.getBoundingClientRect(),
              turnIntoItems(view, nameOf),
              () => update(view)
            )
        }
      ])
      bar = toolbar
      let isSelecting = false
      const update = (view: EditorView) => {
        const isActive = view.hasFocus() || toolbar.hasFocus
        if (!hasBar(view.state) || isSelecting || !view.editable || !isActive) return toolbar.popup.close()
        toolbar.update()
        const isTouch = matchMedia("(pointer: coarse)").matches
        const { from, to } = view.state.selection
        toolbar.popup.open(() => rectAt(view, from, to), isTouch ? "below" : "above")
      }
      const begin = (event: PointerEvent) => {
        isSelecting = event.pointerType === "mouse"
      }
      const end = () => {
        if (!isSelecting) return
        isSelecting = false
        setTimeout(() => {
          if (!view.isDestroyed) update(view)
        })
      }
      const leave = () =>
        setTimeout(() => {
          if (!view.isDestroyed) update(view)
        })
      view.dom.addEventListener("pointerdown", begin)
      view.dom.addEventListener("blur", leave)
      view.dom.addEventListener("focus", leave)
      document.addEventListener("pointerup", end)
      return {
        update,
        destroy: () => {
          view.dom.removeEventListener("pointerdown", begin)
          view.dom.removeEventListener("blur", leave)
          view.dom.removeEventListener("focus", leave)
          document.removeEventListener("pointerup", end)
          toolbar.popup.destroy()
        }
      }
    }
  })
}

const isMarked = ({ doc, selection: { from, to } }: EditorState, name: string): boolean =>
  doc.rangeHasMark(from, to, schema.marks[name]!)

/** Returns the entries of a menu for the types that the blocks at the selection can become. */
export const turnIntoItems = (view: EditorView, nameOf: (type: string) => string) =>
  turnIntoTypes
    .filter((type) => turnBlockInto(type)(view.state))
    .map((type) => ({
      label: nameOf(type),
      sign: signOf(type),
      run: () => {
        turnBlockInto(type)(view.state, view.dispatch, view)
      }
    }))
