/**
 * The menu of `/`: all types of blocks, filtered by the words after it. It opens where a word can start, and never in
 * code. Arrows, Enter and Tab choose, Escape leaves the `/` as text. The focus stays in the text, which is described to
 * screen readers as a combobox with a list. An input method may type the words: its keys are left to it.
 */
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { documentUpdate } from "../DocumentUpdate.ts"
import { markName } from "../EditorSchema.ts"
import { withValues } from "../EditorTexts.ts"
import { type BlockChoice, blockChoices, insertChoice, matchingChoices } from "./BlockChoices.ts"
import type { MenuContext } from "./MenuOptions.ts"
import { element, newId, Popup, rectAt } from "./Popup.ts"

interface OpenMenu {
  /** Position of the `/`. */
  readonly from: number
  readonly query: string
  readonly index: number
}

type MenuState = OpenMenu | undefined

const slashMenuKey = new PluginKey<MenuState>("slashMenu")

/** `close`: closes the menu. A number: index of the active choice. */
type MenuChange = "close" | number

/** Longer words don't name a block. */
const maxQuery = 40

const slash = /(?:^|[\s\ufffc])[/／]$/

const textBefore = ({ selection }: EditorState): string | undefined => {
  const { $from, empty } = selection
  const { parent } = $from
  if (!empty || !(selection instanceof TextSelection) || !parent.isTextblock || parent.type.spec.code === true)
    return undefined
  return parent.textBetween(0, $from.parentOffset, undefined, "\ufffc")
}

const isInCode = ({ selection: { $from }, storedMarks }: EditorState): boolean =>
  (storedMarks ?? $from.marks()).some(({ type }) => type.name === markName("code"))

const nextState = (tr: Transaction, open: MenuState, before: EditorState, after: EditorState): MenuState => {
  const change: MenuChange | undefined = tr.getMeta(slashMenuKey)
  if (change === "close") return undefined
  if (open === undefined) {
    const isTyped = tr.docChanged && after.doc.content.size > before.doc.content.size
    if (!isTyped || ["paste", "history$"].some((name) => tr.getMeta(name) !== undefined)) return undefined
    if (tr.getMeta(documentUpdate) === true) return undefined
    const text = textBefore(after)
    if (text === undefined || !slash.test(text) || isInCode(after)) return undefined
    return { from: after.selection.from - 1, query: "", index: 0 }
  }
  const from = tr.mapping.map(open.from, 1)
  const { $from } = after.selection
  const text = textBefore(after)
  const offset = from - $from.start()
  const hasSlash = text !== undefined && offset >= 0 && offset < text.length && /[/／]/.test(text.charAt(offset))
  if (!hasSlash) return undefined
  const query = text.slice(offset + 1)
  if (query.length > maxQuery || /^\s/.test(query)) return undefined
  return { from, query, index: typeof change === "number" ? change : query === open.query ? open.index : 0 }
}

export const slashMenu = (context: MenuContext): Plugin<MenuState> => {
  const choices = blockChoices(context)
  const listId = newId()
  let cached: { readonly query: string; readonly matches: ReadonlyArray<BlockChoice> } = { query: "", matches: choices }
  const matchesOf = (query: string): ReadonlyArray<BlockChoice> => {
    if (cached.query !== query) cached = { query, matches: matchingChoices(choices, query) }
    return cached.matches
  }

  const change = (view: EditorView, to: MenuChange) => view.dispatch(view.state.tr.setMeta(slashMenuKey, to))

  const choose = (view: EditorView, index: number) => {
    const open = slashMenuKey.getState(view.state)
    const choice = open && matchesOf(open.query)[index]
    if (choice === undefined) return
    view.dispatch(
      view.state.tr.delete(open!.from, view.state.selection.from).setMeta(slashMenuKey, "close" satisfies MenuChange)
    )
    insertChoice(view, context, choice.type)
  }

  return new Plugin<MenuState>({
    key: slashMenuKey,
    state: { init: () => undefined, apply: nextState },
    props: {
      attributes: (state) => {
        const open = slashMenuKey.getState(state)
        if (open === undefined) return { "aria-haspopup": "listbox" }
        const hasChoice = matchesOf(open.query).length > 0
        return {
          "aria-haspopup": "listbox",
          "aria-autocomplete": "list",
          "aria-controls": listId,
          ...(hasChoice && { "aria-activedescendant": `${listId}-${open.index}` })
        }
      },
      handleKeyDown: (view, event) => {
        const open = slashMenuKey.getState(view.state)
        if (open === undefined || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false
        const { length } = matchesOf(open.query)
        if (event.key === "Escape") change(view, "close")
        else if (length === 0) return false
        else if (event.key === "ArrowDown") change(view, (open.index + 1) % length)
        else if (event.key === "ArrowUp") change(view, (open.index + length - 1) % length)
        else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey) choose(view, open.index)
        else return false
        return true
      },
      handleDOMEvents: {
        blur: (view) => {
          if (slashMenuKey.getState(view.state) !== undefined) change(view, "close")
        }
      }
    },
    view: (view) => {
      const popup = new Popup(view, "lectern-menu")
      const list = element("div", "lectern-options")
      list.id = listId
      list.role = "listbox"
      list.ariaLabel = context.texts.insertBlock
      const status = element("div", "lectern-count")
      status.role = "status"
      popup.element.append(list, status)
      // The focus stays in the text.
      popup.element.addEventListener("mousedown", (event) => event.preventDefault())
      let displayed: ReadonlyArray<BlockChoice> | undefined
      const render = (matches: ReadonlyArray<BlockChoice>) => {
        displayed = matches
        const { blocks, noBlock } = context.texts
        status.textContent = matches.length === 0 ? noBlock : withValues(blocks, { count: matches.length })
        list.replaceChildren(
          ...matches.map((choice, i) => {
            const option = element("div", "lectern-menu-item")
            option.role = "option"
            option.id = `${listId}-${i}`
            const sign = element("span", "lectern-sign", choice.sign)
            sign.ariaHidden = "true"
            option.append(sign, choice.name)
            option.addEventListener("click", () => choose(view, i))
            return option
          })
        )
      }
      return {
        update: () => {
          const open = slashMenuKey.getState(view.state)
          if (open === undefined) return popup.close()
          const matches = matchesOf(open.query)
          if (displayed !== matches) render(matches)
          for (const [i, option] of Array.from(list.children).entries()) option.ariaSelected = String(i === open.index)
          list.hidden = matches.length === 0
          popup.open(() => rectAt(view, Math.min(open.from, view.state.doc.content.size)))
          list.children[open.index]?.scrollIntoView({ block: "nearest" })
        },
        destroy: () => popup.destroy()
      }
    }
  })
}
