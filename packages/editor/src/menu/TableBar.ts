/** The bar of the table with the cursor: menus for its row and its column. Alt+F10 moves the focus into it. */
import { type Command, Plugin } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { wordOf } from "../EditorTexts.ts"
import * as Table from "../table/TableCommands.ts"
import { focusWidthHandle } from "../width/WidthHandles.ts"
import { type MenuItem, openMenu } from "./Menu.ts"
import type { MenuContext } from "./MenuOptions.ts"
import { Toolbar } from "./Toolbar.ts"

export const tableBar = (context: MenuContext): Plugin => {
  const { texts } = context
  let bar: Toolbar | undefined
  return new Plugin({
    props: {
      handleKeyDown: (view, event) => {
        if (event.key !== "F10" || !event.altKey || bar?.popup.isOpen !== true || !view.state.selection.empty)
          return false
        bar.focus()
        return true
      }
    },
    view: (view) => {
      const item = (label: string, sign: string, command: Command): ReadonlyArray<MenuItem> =>
        command(view.state)
          ? [
              {
                label,
                sign,
                run: () => {
                  command(view.state, view.dispatch, view)
                }
              }
            ]
          : []
      const rowItems = () => [
        ...item(texts.addRowAbove, "↥", Table.addRow("above")),
        ...item(texts.addRowBelow, "↧", Table.addRow("below")),
        ...item(texts.moveUp, "↑", Table.moveRow(-1)),
        ...item(texts.moveDown, "↓", Table.moveRow(1)),
        ...item(texts.deleteRow, "✕", Table.deleteRow)
      ]
      const typeItems = (): ReadonlyArray<MenuItem> => {
        const cell = Table.cellAtSelection(view.state)
        const type: unknown = cell?.table.firstChild!.child(cell.column).attrs["definition"]?.type
        return Table.columnTypes.map((each) => ({
          label: wordOf(texts, each),
          isChecked: each === type,
          run: () => {
            Table.setColumnType(each)(view.state, view.dispatch, view)
          }
        }))
      }
      const columnItems = () => [
        ...item(texts.addColumnBefore, "↤", Table.addColumn("before")),
        ...item(texts.addColumnAfter, "↦", Table.addColumn("after")),
        ...item(texts.moveColumnBefore, "←", Table.moveColumn(-1)),
        ...item(texts.moveColumnAfter, "→", Table.moveColumn(1)),
        { label: texts.columnType, sign: "#", items: typeItems },
        ...item(texts.setWidth, "↔", focusWidthHandle),
        ...item(texts.deleteColumn, "✕", Table.deleteColumn)
      ]
      const menu = (label: string, items: () => ReadonlyArray<MenuItem>) => ({
        text: label,
        label,
        hasMenu: true,
        run: (made: HTMLButtonElement) => openMenu(view, label, () => made.getBoundingClientRect(), items())
      })
      const toolbar = new Toolbar(view, texts.table, [
        menu(texts.row, rowItems),
        menu(texts.column, columnItems),
        {
          text: texts.headerRow,
          label: texts.headerRow,
          isPressed: () => Table.hasHeader(view.state),
          run: () => {
            Table.toggleHeader(view.state, view.dispatch, view)
            view.focus()
          }
        },
        {
          text: texts.cards,
          label: texts.cards,
          isPressed: () => Table.hasCards(view.state),
          run: () => {
            Table.toggleCards(view.state, view.dispatch, view)
            view.focus()
          }
        }
      ])
      bar = toolbar
      const update = (view: EditorView) => {
        const { selection } = view.state
        const cell =
          view.editable && (selection.empty || "node" in selection) ? Table.cellAtSelection(view.state) : undefined
        if (cell === undefined || !(view.dom.contains(document.activeElement) || toolbar.hasFocus))
          return toolbar.popup.close()
        toolbar.update()
        const { position } = cell
        toolbar.popup.open(() => {
          const dom = view.nodeDOM(position)
          return dom instanceof Element ? dom.getBoundingClientRect() : undefined
        }, "above")
      }
      const refresh = () =>
        setTimeout(() => {
          if (!view.isDestroyed) update(view)
        })
      view.dom.addEventListener("focusout", refresh)
      view.dom.addEventListener("focusin", refresh)
      return {
        update,
        destroy: () => {
          view.dom.removeEventListener("focusout", refresh)
          view.dom.removeEventListener("focusin", refresh)
          toolbar.popup.destroy()
        }
      }
    }
  })
}
