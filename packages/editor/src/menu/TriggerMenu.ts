/**
 * A menu that typed text opens, such as `/` or `@`: its choices are filtered by the words after it. It never opens in
 * code. Arrows, Enter and Tab choose, Escape leaves the text unchanged. The focus stays in the text, which is described to
 * screen readers as a combobox with a list. An input method may type the words: its keys are left to it.
 */
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { documentUpdate } from "../DocumentUpdate.ts"
import { markName } from "../EditorSchema.ts"
import { element, newId, Popup, rectAt } from "./Popup.ts"

export interface TriggerItem {
  readonly name: string
  readonly sign: string
  /** Position of the target of the item, such as the titles of its parents. */
  readonly path?: string
  /** Called after the trigger and the words were deleted. */
  readonly run: (view: EditorView) => void
}

export interface Trigger {
  /** Name of the state of the menu, unique in an editor. */
  readonly name: string
  /** Matches the text before the cursor that opens the menu. A group is the trigger with the first words. */
  readonly pattern: RegExp
  /** Matches the trigger with words while the menu is open. The first group is the words. */
  readonly open: RegExp
  /** Name of the list, for screen readers. */
  readonly label: string
  /** Returns the choices for words, or a promise of them. */
  readonly items: (words: string) => ReadonlyArray<TriggerItem> | Promise<ReadonlyArray<TriggerItem>>
  /** Returns the sentence below the list. Default: without choices, there is no menu. */
  readonly status?: (count: number) => string
}

interface OpenMenu {
  /** Position of the trigger. */
  readonly from: number
  readonly words: string
  readonly index: number
}

type MenuState = OpenMenu | undefined

/** `close`: closes the menu. A number: index of the active choice. */
type MenuChange = "close" | number

/** Maximum length of a trigger with its words (characters). */
const maxLength = 42

const textBefore = ({ selection }: EditorState): string | undefined => {
  const { $from, empty } = selection
  const { parent } = $from
  if (!empty || !(selection instanceof TextSelection) || !parent.isTextblock || parent.type.spec.code === true)
    return undefined
  return parent.textBetween(0, $from.parentOffset, undefined, "\ufffc")
}

const isInCode = ({ selection: { $from }, storedMarks }: EditorState): boolean =>
  (storedMarks ?? $from.marks()).some(({ type }) => type.name === markName("code"))

export const triggerMenu = (trigger: Trigger): Plugin<MenuState> => {
  const key = new PluginKey<MenuState>(trigger.name)
  const listId = newId()
  let current: { readonly words: string | undefined; readonly items: ReadonlyArray<TriggerItem> } = {
    words: undefined,
    items: []
  }
  let openView: EditorView | undefined

  const itemsFor = (words: string): ReadonlyArray<TriggerItem> => {
    if (current.words === words) return current.items
    const found = trigger.items(words)
    if (!(found instanceof Promise)) {
      current = { words, items: found }
      return found
    }
    // The earlier choices stay until the new ones are found.
    current = { words, items: current.items }
    found.then(
      (items) => {
        if (current.words !== words) return
        current = { words, items }
        if (openView !== undefined && key.getState(openView.state) !== undefined) change(openView, 0)
      },
      () => undefined
    )
    return current.items
  }

  const nextState = (tr: Transaction, open: MenuState, before: EditorState, after: EditorState): MenuState => {
    const change: MenuChange | undefined = tr.getMeta(key)
    if (change === "close") return undefined
    const text = textBefore(after)
    if (text === undefined) return undefined
    if (open === undefined) {
      const isTyped = tr.docChanged && after.doc.content.size > before.doc.content.size
      if (!isTyped || ["paste", "history$"].some((name) => tr.getMeta(name) !== undefined)) return undefined
      if (tr.getMeta(documentUpdate) === true) return undefined
      const typed = trigger.pattern
        .exec(text)
        ?.slice(1)
        .find((group) => group !== undefined)
      const words = typed === undefined ? undefined : trigger.open.exec(typed)?.[1]
      if (typed === undefined || words === undefined || isInCode(after)) return undefined
      return { from: after.selection.from - typed.length, words, index: 0 }
    }
    const from = tr.mapping.map(open.from, 1)
    const typed = text.slice(Math.max(0, from - after.selection.$from.start()))
    const words = typed.length > maxLength ? undefined : trigger.open.exec(typed)?.[1]
    if (words === undefined || from < after.selection.$from.start()) return undefined
    return { from, words, index: typeof change === "number" ? change : words === open.words ? open.index : 0 }
  }

  const change = (view: EditorView, to: MenuChange) => view.dispatch(view.state.tr.setMeta(key, to))

  const choose = (view: EditorView, index: number) => {
    const open = key.getState(view.state)
    const item = open && itemsFor(open.words)[index]
    if (item === undefined) return
    view.dispatch(
      view.state.tr.delete(open!.from, view.state.selection.from).setMeta(key, "close" satisfies MenuChange)
    )
    item.run(view)
  }

  return new Plugin<MenuState>({
    key,
    state: { init: () => undefined, apply: nextState },
    props: {
      attributes: (state): Record<string, string> => {
        const open = key.getState(state)
        if (open === undefined) return { "aria-haspopup": "listbox" }
        const hasChoice = itemsFor(open.words).length > 0
        return {
          "aria-haspopup": "listbox",
          "aria-autocomplete": "list",
          "aria-controls": listId,
          ...(hasChoice && { "aria-activedescendant": `${listId}-${open.index}` })
        }
      },
      handleKeyDown: (view, event) => {
        const open = key.getState(view.state)
        if (open === undefined || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false
        const { length } = itemsFor(open.words)
        if (length === 0 && trigger.status === undefined) return false
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
          if (key.getState(view.state) !== undefined) change(view, "close")
        }
      }
    },
    view: (view) => {
      openView = view
      const popup = new Popup(view, "lectern-menu")
      const list = element("div", "lectern-options")
      list.id = listId
      list.role = "listbox"
      list.ariaLabel = trigger.label
      const status = element("div", "lectern-count")
      status.role = "status"
      popup.element.append(list, status)
      // The focus stays in the text.
      popup.element.addEventListener("mousedown", (event) => event.preventDefault())
      let displayed: ReadonlyArray<TriggerItem> | undefined
      const render = (items: ReadonlyArray<TriggerItem>) => {
        displayed = items
        status.textContent = trigger.status?.(items.length) ?? ""
        list.replaceChildren(
          ...items.map((item, i) => {
            const option = element("div", "lectern-menu-item")
            option.role = "option"
            option.id = `${listId}-${i}`
            const sign = element("span", "lectern-sign", item.sign)
            sign.ariaHidden = "true"
            option.append(sign, item.name)
            if (item.path !== undefined && item.path !== "") option.append(element("span", "lectern-path", item.path))
            option.addEventListener("click", () => choose(view, i))
            return option
          })
        )
      }
      return {
        update: () => {
          const open = key.getState(view.state)
          if (open === undefined) return popup.close()
          const items = itemsFor(open.words)
          if (displayed !== items) render(items)
          if (items.length === 0 && trigger.status === undefined) return popup.close()
          for (const [i, option] of Array.from(list.children).entries()) option.ariaSelected = String(i === open.index)
          list.hidden = items.length === 0
          popup.open(() => rectAt(view, Math.min(open.from, view.state.doc.content.size)))
          list.children[open.index]?.scrollIntoView({ block: "nearest" })
        },
        destroy: () => {
          openView = undefined
          popup.destroy()
        }
      }
    }
  })
}
