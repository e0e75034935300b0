/** Reads code of a page: its text without line numbers, and its language. */
import type { Element } from "hast"
import { attribute, classes, elements, isElement, text } from "./Hast.ts"

const numbers = /^(?:line-?numbers?|linenos?|gutter|code-?line-?number|hljs-ln-numbers)(?:-rows)?$/i

const languageName = /^(?:language|lang|highlight-source|highlight-text|highlight|brush)[-:]([a-z0-9+#._-]{1,40})$/i

const noLanguages = new Set(["default", "none", "notranslate", "plaintext", "source", "text"])

/**
 * Returns the language of code, by the attributes and classes of the `code` element, of the `pre` element, and of the
 * enclosing elements, nearest first.
 */
export const languageOf = (pre: Element, enclosing: ReadonlyArray<Element>): string | undefined => {
  const code = [...elements(pre)].filter((element) => isElement(element, "code")).slice(0, 1)
  for (const element of [...code, pre, ...enclosing.toReversed()]) {
    const language = attribute(element, "data-language") ?? attribute(element, "data-lang")
    const names = classes(element).flatMap((name) => languageName.exec(name)?.[1] ?? [])
    for (const name of language === undefined ? names : [language, ...names]) {
      if (/^[\w+#.-]{1,40}$/.test(name) && !noLanguages.has(name.toLowerCase())) return name
    }
  }
  return undefined
}

/** True for an element that displays its content as a line, with or without a line feed. */
const isLine = (element: Element) => isElement(element, "div", "li", "tr", "p")

export const codeOf = (pre: Element): string => {
  // Pieces are collected in an array, since checking the end of a growing string would copy the whole string.
  const code: Array<string> = []
  const add = (piece: string) => {
    if (piece !== "") code.push(piece)
  }
  const pendingNodes: Array<Element["children"][number] | "\n"> = pre.children.toReversed()
  for (let next = pendingNodes.pop(); next !== undefined; next = pendingNodes.pop()) {
    if (next === "\n") {
      if (code.at(-1)?.endsWith("\n") === false) add("\n")
    } else if (next.type === "text") add(next.value)
    else if (next.type !== "element" || isNumbers(next) || noCode.has(next.tagName)) continue
    else if (next.tagName === "br") add("\n")
    else {
      if (isLine(next)) pendingNodes.push("\n")
      for (let i = next.children.length - 1; i >= 0; i--) pendingNodes.push(next.children[i]!)
    }
  }
  return code.join("").replace(/\r\n?/g, "\n").replace(/^\n/, "").trimEnd()
}

const noCode = new Set(["button", "script", "style"])

const isNumbers = (element: Element) => {
  if (classes(element).some((name) => numbers.test(name))) return true
  const number = attribute(element, "data-line-number")
  // The text is read only for elements with the attribute, and at most up to the maximum length.
  return number !== undefined && number.length <= maxNumber && number === text(element, maxNumber + 1)
}

/** Maximum characters of a line number. */
const maxNumber = 20
