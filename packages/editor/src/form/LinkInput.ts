/**
 * A field for the target of a link: the host finds pages, headings and files by words, and anything that looks like a
 * URL is one. Arrows and Enter choose.
 */
import type { ContentRef } from "@lectern/document/Document"
import { isRef } from "@lectern/document/DocumentRefs"
import type { LinkTarget, MenuContext } from "../menu/MenuOptions.ts"
import { element, newId } from "../menu/Popup.ts"

const maxTargets = 20

const scheme = /^(?:https?:\/\/|mailto:|tel:)\S+$/i
const domain = /^(?:[\w-]+\.)+[a-z]{2,}(?:[/?#]\S*)?$/i

/** Returns the URL that a text is. Undefined for words, and for schemes that could run scripts. */
export const urlOf = (text: string): string | undefined => {
  const trimmed = text.trim()
  if (scheme.test(trimmed) || /^[/#]\S*$/.test(trimmed)) return trimmed
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(trimmed)) return `mailto:${trimmed}`
  return domain.test(trimmed) ? `https://${trimmed}` : undefined
}

/** Returns a text for a reference that the host does not describe. */
export const textOfRef = (ref: unknown): string => {
  if (!isRef(ref)) return ""
  const { kind, ...fields } = ref
  return Object.values(fields)[0] ?? kind
}

export interface LinkInput {
  readonly element: HTMLElement
  readonly input: HTMLInputElement
  /** Returns the chosen target, or the URL in the field. */
  readonly ref: () => ContentRef | undefined
  /** Title of the chosen target. */
  readonly title: () => string | undefined
}

export const linkInput = (context: MenuContext, current: unknown, onChoose?: () => void): LinkInput => {
  const { describeLink, findLinks, texts } = context
  const [inputId, listId] = [newId(), newId()]
  const box = element("div", "lectern-link-input")
  const label = element("label", "lectern-label", texts.linkTarget)
  const input = element("input", "lectern-input")
  const list = element("div", "lectern-options")
  const note = element("div", "lectern-note")
  input.id = inputId
  label.htmlFor = inputId
  input.type = "text"
  input.autocomplete = "off"
  input.role = "combobox"
  input.ariaExpanded = "false"
  input.ariaAutoComplete = "list"
  input.setAttribute("aria-controls", listId)
  list.id = listId
  list.role = "listbox"
  list.ariaLabel = texts.linkResults
  list.hidden = true
  note.role = "status"
  box.append(label, input, list, note)

  let chosen: LinkTarget | undefined
  let targets: ReadonlyArray<LinkTarget> = []
  let active = 0
  let searches = 0

  if (isRef(current)) {
    chosen = { ref: current, title: textOfRef(current) }
    input.value = chosen.title
    if (current.kind !== "url" && describeLink !== undefined) {
      describeLink(current).then(
        (target) => {
          if (chosen?.ref !== current) return
          if (target === null) note.textContent = texts.missingTarget
          else {
            chosen = target
            input.value = target.title
          }
        },
        () => undefined
      )
    }
  }

  const mark = () => {
    for (const [i, option] of Array.from(list.children).entries()) option.ariaSelected = String(i === active)
    const id = list.children[active]?.id
    if (id === undefined) input.removeAttribute("aria-activedescendant")
    else input.setAttribute("aria-activedescendant", id)
  }
  const display = (found: ReadonlyArray<LinkTarget>) => {
    targets = found.slice(0, maxTargets)
    active = 0
    list.replaceChildren(
      ...targets.map((target, i) => {
        const option = element("div", "lectern-menu-item", target.title)
        option.role = "option"
        option.id = `${listId}-${i}`
        if (target.path !== undefined) option.append(element("span", "lectern-path", target.path))
        option.addEventListener("mousedown", (event) => event.preventDefault())
        option.addEventListener("click", () => choose(i))
        return option
      })
    )
    list.hidden = targets.length === 0
    input.ariaExpanded = String(targets.length > 0)
    mark()
  }
  const choose = (index: number) => {
    chosen = targets[index]
    if (chosen !== undefined) input.value = chosen.title
    display([])
    note.textContent = ""
    onChoose?.()
  }
  const search = () => {
    chosen = undefined
    note.textContent = ""
    const search = ++searches
    const query = input.value.trim()
    if (urlOf(query) !== undefined || findLinks === undefined) return display([])
    findLinks(query).then(
      (found) => {
        if (search !== searches) return
        display(found)
        note.textContent = found.length === 0 && query !== "" ? texts.noTarget : ""
      },
      () => undefined
    )
  }
  input.addEventListener("input", search)
  input.addEventListener("focus", () => {
    if (input.value === "") search()
  })
  input.addEventListener("keydown", (event) => {
    if (event.isComposing || targets.length === 0) return
    if (event.key === "ArrowDown") active = (active + 1) % targets.length
    else if (event.key === "ArrowUp") active = (active + targets.length - 1) % targets.length
    else if (event.key === "Enter") choose(active)
    else if (event.key === "Escape") display([])
    else return
    event.preventDefault()
    event.stopPropagation()
    mark()
    list.children[active]?.scrollIntoView({ block: "nearest" })
  })
  return {
    element: box,
    input,
    ref: () => {
      const url = urlOf(input.value)
      return chosen?.ref ?? (url === undefined ? undefined : { kind: "url", url })
    },
    title: () => chosen?.title
  }
}
