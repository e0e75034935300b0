/**
 * Converts formulas in the HTML of a page. Takes the TeX source that KaTeX, MathJax and MediaWiki include with the
 * rendered formula. MathML without a TeX source becomes text.
 */
import type { Element, ElementContent, Root } from "hast"
import { attribute, classes, find, isElement, replace, text } from "./Hast.ts"
import type { PageNodes } from "./PageNodes.ts"

const renderedFormula = /^(?:katex-html|MathJax(?:_Display|_Preview|_SVG|_CHTML)?|mjx-chtml|mwe-math-fallback-image.*)$/
const formulaWrapper = /^(?:katex|katex-display|katex-mathml|mwe-math-element|mwe-math-mathml-(?:a11y|inline|display))$/

export const mark = (content: Root | Element, nodes: PageNodes): void => {
  const displayed = new Set<Element>()
  replace(content, (element) => {
    const names = classes(element)
    if (element.tagName === "mjx-container") {
      const math = find(element, (child) => isElement(child, "math"))
      return math === undefined ? [] : [{ type: "element", tagName: "span", properties: {}, children: [math] }]
    }
    if (names.some((name) => renderedFormula.test(name))) return []
    if (names.some((name) => formulaWrapper.test(name))) {
      // The enclosing element may hide the source from view.
      element.properties = {}
      const isDisplayed = names.includes("katex-display") || displayed.has(element)
      for (const child of isDisplayed ? element.children : []) if (child.type === "element") displayed.add(child)
      return undefined
    }
    if (element.tagName === "script") {
      const type = attribute(element, "type") ?? ""
      const tex = /^math\/tex\b/i.test(type) ? text(element).trim() : ""
      return tex === "" ? undefined : [nodes.formula(tex, /mode=display/.test(type))]
    }
    if (element.tagName !== "math") return undefined
    const source = find(element, (child) => attribute(child, "encoding") === "application/x-tex")
    const tex = source === undefined ? "" : text(source).trim()
    if (tex !== "") return [nodes.formula(tex, attribute(element, "display") === "block" || displayed.has(element))]
    const textNode: ElementContent = { type: "text", value: text(element) }
    return [{ type: "element", tagName: "span", properties: {}, children: [textNode] }]
  })
}
