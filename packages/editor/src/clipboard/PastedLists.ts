/**
 * Lists of other programs as nested lists of HTML. Word has paragraphs with a level in their style, Word on the web one
 * list for each item, Google Docs lists within lists. Tasks have a sign of their own in each program: they get
 * `data-checked`, and their list `data-tasks`.
 */
import { stylesOf } from "./PastedStyles.ts"

/** Deeper levels become this one. */
const maxLevel = 9

interface Item {
  readonly element: Element
  readonly level: number
  readonly isOrdered: boolean
}

/** Returns lists for items that follow each other, nested by level. */
const nestedLists = (items: ReadonlyArray<Item>): ReadonlyArray<Element> => {
  const roots: Array<Element> = []
  const open: Array<{ readonly list: Element; readonly level: number }> = []
  for (const { element, isOrdered, level } of items) {
    const name = isOrdered ? "ol" : "ul"
    while (open.length > 0 && open.at(-1)!.level > level) open.pop()
    let current = open.at(-1)
    if (current?.level === level && current.list.localName !== name) {
      open.pop()
      current = open.at(-1)
    }
    if (current === undefined || current.level < level) {
      const list = element.ownerDocument.createElement(name)
      const parent = current?.list.lastElementChild
      if (parent === undefined || parent === null) roots.push(list)
      else parent.append(list)
      open.push({ list, level })
    }
    const item = element.ownerDocument.createElement("li")
    item.append(...element.childNodes)
    for (const { name, value } of element.attributes)
      if (name.startsWith("data-") || name.startsWith("aria-")) item.setAttribute(name, value)
    open.at(-1)!.list.append(item)
  }
  return roots
}

/** Replaces runs of items that are neighbors by nested lists. `itemsOf`: returns the items of an element, if any. */
const replaceRuns = (root: Element, itemsOf: (element: Element) => ReadonlyArray<Item> | undefined): void => {
  for (const parent of [root, ...root.querySelectorAll("*")]) {
    let run: Array<Item> = []
    let elements: Array<Element> = []
    const flush = () => {
      if (run.length > 0) {
        const lists = nestedLists(run)
        elements[0]!.before(...lists)
        for (const element of elements) element.remove()
      }
      run = []
      elements = []
    }
    for (const child of Array.from(parent.children)) {
      const items = itemsOf(child)
      if (items === undefined) {
        flush()
        continue
      }
      run.push(...items)
      elements.push(child)
    }
    flush()
  }
}

const orderedMarker = /^[\s(]*(?:\d{1,4}|[a-z]{1,5})[.)]/i

/** An item of a list in Word: a paragraph whose style has the level and whose first span is the bullet. */
const wordItem = (element: Element): ReadonlyArray<Item> | undefined => {
  if (element.localName !== "p") return undefined
  const level = /\blevel(\d)/.exec(stylesOf(element).get("mso-list") ?? "")?.[1]
  if (level === undefined) return undefined
  const marker = Array.from(element.querySelectorAll("span")).find(
    (span) => stylesOf(span).get("mso-list") === "ignore"
  )
  const isOrdered = orderedMarker.test(marker?.textContent ?? "")
  marker?.remove()
  return [{ element, level: Number(level), isOrdered }]
}

/** A list of one level in Word on the web, whose items have their level as an attribute. */
const webItems = (element: Element): ReadonlyArray<Item> | undefined => {
  const list = /\bListContainerWrapper\b/.test(element.className) ? element.firstElementChild : element
  if (list === null || !/^[ou]l$/.test(list.localName)) return undefined
  const items = Array.from(list.children)
  if (items.length === 0 || !items.every((item) => item.hasAttribute("data-aria-level"))) return undefined
  return items.map((item) => ({
    element: item,
    level: Math.min(maxLevel, Number(item.getAttribute("data-aria-level")) || 1),
    isOrdered: list.localName === "ol"
  }))
}

/** Puts a list that is a child of a list into the item before it, as Google Docs means it. */
const moveIntoItems = (root: Element): void => {
  for (const list of Array.from(root.querySelectorAll("ul > ul, ul > ol, ol > ul, ol > ol"))) {
    const before = list.previousElementSibling
    if (before?.localName === "li") before.append(list)
  }
}

const checkedSigns: ReadonlyArray<readonly [selector: string, isChecked: (sign: Element) => boolean]> = [
  ["input[type=checkbox]", (sign) => sign.hasAttribute("checked")],
  [".checkbox", (sign) => sign.classList.contains("checkbox-on")],
  ["[role=checkbox]", (sign) => sign.getAttribute("aria-checked") === "true"]
]

const checkedState = (item: Element): boolean | undefined => {
  if (item.getAttribute("role") === "checkbox" || item.hasAttribute("aria-checked"))
    return item.getAttribute("aria-checked") === "true"
  if (item.closest(".inline-task-list") !== null && item.hasAttribute("data-inline-task-id"))
    return item.classList.contains("checked")
  for (const [selector, isChecked] of checkedSigns) {
    const sign = item.querySelector(selector)
    if (sign === null || sign.closest("li") !== item) continue
    const state = isChecked(sign)
    sign.remove()
    return state
  }
  return undefined
}

/** Marks items that are tasks. */
const readTasks = (root: Element): void => {
  for (const task of Array.from(root.querySelectorAll("[data-task-state]"))) {
    const item = root.ownerDocument.createElement("li")
    const list = root.ownerDocument.createElement("ul")
    item.dataset["checked"] = String(task.getAttribute("data-task-state") === "DONE")
    item.append(...task.childNodes)
    list.dataset["tasks"] = ""
    list.append(item)
    const before = task.previousElementSibling
    if (before instanceof HTMLElement && before.dataset["tasks"] === "") {
      before.append(item)
      task.remove()
    } else task.replaceWith(list)
  }
  for (const item of root.querySelectorAll<HTMLElement>("ul > li")) {
    const state = checkedState(item)
    if (state === undefined) continue
    item.dataset["checked"] = String(state)
    item.parentElement!.dataset["tasks"] = ""
    // The picture of a box.
    for (const image of item.querySelectorAll("img")) if (image.closest("li") === item) image.remove()
  }
  // Notion has a list for each task.
  for (const list of root.querySelectorAll("[data-tasks] + [data-tasks]")) {
    list.previousElementSibling!.append(...list.childNodes)
    list.remove()
  }
}

export const readLists = (root: Element): void => {
  replaceRuns(root, wordItem)
  replaceRuns(root, webItems)
  moveIntoItems(root)
  readTasks(root)
}
