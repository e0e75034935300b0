/** Recognizes callouts of documentation tools by class names and attributes, and maps them to hint styles. */
import type { Element, Nodes } from "hast"
import { attribute, classes, elements, isElement, line } from "./Hast.ts"

export type HintStyle = "info" | "success" | "warning" | "danger"

const boxes =
  /^(?:admonition|admonitionblock|alert|callout|custom-block|hint|markdown-alert|notice|starlight-aside|theme-admonition|infobox|note-box)$/i

const styles: { readonly [name: string]: HintStyle } = {
  abstract: "info",
  attention: "warning",
  bug: "danger",
  caution: "warning",
  check: "success",
  danger: "danger",
  error: "danger",
  example: "info",
  failure: "danger",
  important: "info",
  info: "info",
  note: "info",
  question: "info",
  seealso: "info",
  success: "success",
  summary: "info",
  tip: "success",
  todo: "info",
  versionadded: "info",
  warning: "warning"
}

const styleOf = (name: string): HintStyle | undefined => {
  const modifier = name.toLowerCase().split("--").at(-1)!
  const kind = modifier.replace(/^(?:theme-admonition|markdown-alert|alert|callout|admonition|hint|notice)-/, "")
  return Object.hasOwn(styles, kind) ? styles[kind] : undefined
}

/** Returns the hint style of a callout. Undefined if the element is not a callout. */
export const hintStyleOf = (element: Element): HintStyle | undefined => {
  if (!isElement(element, "div", "aside", "section", "blockquote")) return undefined
  const names = classes(element)
  const kind = attribute(element, "data-callout") ?? attribute(element, "data-callout-type")
  const isBox =
    kind !== undefined ||
    names.some((name) => boxes.test(name) || /^(?:admonition|callout|theme-admonition|markdown-alert)-/i.test(name))
  if (!isBox) return undefined
  const style = (kind === undefined ? names : [kind, ...names]).flatMap((name) => styleOf(name) ?? [])[0]
  return style ?? "info"
}

const titles = /(?:^|[-_])(?:title|heading)$/i

/** Returns the content of a callout, without a title that only names the hint style. */
export const contentOf = (element: Element): Array<Nodes> => {
  const title = [...elements(element)].find((child) => classes(child).some((name) => titles.test(name)))
  if (title === undefined) return element.children
  const word = line(title)
    .toLowerCase()
    .replace(/[^\p{L}]/gu, "")
  const rest = contentWithout(element, title)
  if (word === "" || Object.hasOwn(styles, word)) return rest
  const strong: Element = {
    type: "element",
    tagName: "strong",
    properties: {},
    children: [{ type: "text", value: line(title) }]
  }
  return [{ type: "element", tagName: "p", properties: {}, children: [strong] }, ...rest]
}

const contentWithout = (element: Element, removed: Element): Array<Nodes> =>
  element.children.flatMap((child): Array<Element["children"][number]> => {
    if (child === removed) return []
    if (child.type !== "element") return [child]
    return [...elements(child)].includes(removed)
      ? [{ ...child, children: contentWithout(child, removed) as Element["children"] }]
      : [child]
  })
