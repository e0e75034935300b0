/**
 * Renders TeX as MathML, which browsers display without fonts or styles of their own. Loaded when a document has a
 * formula. Sites render formulas with MathJax, so some details may look different there.
 */
import { render } from "katex"

/** Maximum length of a formula (characters). A longer one stays TeX. */
const maxLength = 4_000

/** Renders a formula into an element. Leaves the element unchanged if the TeX is invalid. */
export const renderFormula = (target: HTMLElement, formula: string, isBlock: boolean): void => {
  if (formula.length > maxLength) return
  const rendered = document.createElement("span")
  try {
    render(formula, rendered, { output: "mathml", displayMode: isBlock, maxExpand: 500, strict: "ignore" })
  } catch {
    return
  }
  target.replaceChildren(rendered)
}
