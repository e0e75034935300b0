/**
 * Reads the styles of pasted HTML as text. Styles are never applied. A style with a meaning becomes an element, such as
 * bold text of a word processor.
 */

/** Returns the declarations of the `style` attribute, in lower case. */
export const stylesOf = (element: Element): ReadonlyMap<string, string> =>
  new Map(
    (element.getAttribute("style") ?? "").split(";").flatMap((declaration) => {
      const colon = declaration.indexOf(":")
      if (colon < 0) return []
      return [
        [
          declaration.slice(0, colon).trim().toLowerCase(),
          declaration
            .slice(colon + 1)
            .trim()
            .toLowerCase()
        ]
      ]
    })
  )

const isBold = (weight: string | undefined): boolean => weight === "bold" || Number(weight) >= 600

/** Replaces an element by its content. */
export const unwrap = (element: Element): void => element.replaceWith(...element.childNodes)

/** Moves the content of an element into a new element in it. */
const wrapContent = (element: Element, name: string): void => {
  const wrapper = element.ownerDocument.createElement(name)
  wrapper.append(...element.childNodes)
  element.append(wrapper)
}

/** Turns styles of text into elements: bold, italic and so on. Undoes elements whose style says the opposite. */
export const readTextStyles = (root: Element): void => {
  for (const element of root.querySelectorAll("[style]")) {
    const styles = stylesOf(element)
    const name = element.localName
    if (styles.get("display") === "none" || styles.get("mso-hide") === "all") {
      element.remove()
      continue
    }
    const isPlain = styles.get("font-weight") === "normal" || styles.get("font-weight") === "400"
    if ((name === "b" || name === "strong") && isPlain) {
      unwrap(element)
      continue
    }
    if ((name === "i" || name === "em") && styles.get("font-style") === "normal") {
      unwrap(element)
      continue
    }
    if (name !== "span" && name !== "font") continue
    const isInHeading = element.closest("h1,h2,h3,h4,h5,h6,th") !== null
    const decoration = styles.get("text-decoration") ?? styles.get("text-decoration-line") ?? ""
    const align = styles.get("vertical-align")
    if (isBold(styles.get("font-weight")) && !isInHeading) wrapContent(element, "strong")
    if (styles.get("font-style") === "italic") wrapContent(element, "em")
    if (decoration.includes("line-through")) wrapContent(element, "s")
    if (decoration.includes("underline") && element.closest("a") === null && element.querySelector("a") === null)
      wrapContent(element, "u")
    if (align === "super") wrapContent(element, "sup")
    if (align === "sub") wrapContent(element, "sub")
    if (/mono|courier|consolas|menlo/.test(styles.get("font-family") ?? "") && element.closest("pre") === null)
      wrapContent(element, "code")
  }
}
