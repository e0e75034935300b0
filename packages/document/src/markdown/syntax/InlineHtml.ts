/** Parses inline HTML: tags, comments, instructions, declarations and CDATA. Also parses addresses in `<…>`. */
import type { Link } from "./SyntaxTree.ts"

const tagPattern =
  /<(?:[a-z][a-z\d-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?|\/[a-z][a-z\d-]*\s*)>/iy
const addressPattern =
  /<(?:([a-z][a-z\d+.-]{1,31}:[^ <>\p{Cc}]*)|([a-z\d.!#$%&'*+/=?^_`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*))>/iuy

/**
 * Finds HTML in one text. `htmlEnd` returns the end of the HTML that starts at the offset of a `<`, or -1 if no HTML
 * starts at this offset.
 */
export class InlineHtml {
  readonly #text: string
  /** End markers, such as `-->`, that do not occur in the rest of the text. */
  readonly #missingMarkers = new Set<string>()

  constructor(text: string) {
    this.#text = text
  }

  htmlEnd(at: number): number {
    const text = this.#text
    const code = text.charCodeAt(at + 1)
    if (code === 63) return this.#endAfter("?>", at + 2)
    if (code !== 33) {
      tagPattern.lastIndex = at
      return tagPattern.test(text) ? tagPattern.lastIndex : -1
    }
    if (text.startsWith("--", at + 2)) {
      if (text.startsWith(">", at + 4)) return at + 5
      return text.startsWith("->", at + 4) ? at + 6 : this.#endAfter("-->", at + 4)
    }
    if (text.startsWith("[CDATA[", at + 2)) return this.#endAfter("]]>", at + 9)
    return /[a-z]/i.test(text.charAt(at + 2)) ? this.#endAfter(">", at + 3) : -1
  }

  #endAfter(marker: string, from: number): number {
    if (this.#missingMarkers.has(marker)) return -1
    const index = this.#text.indexOf(marker, from)
    if (index !== -1) return index + marker.length
    this.#missingMarkers.add(marker)
    return -1
  }
}

export interface Address extends Pick<Link, "url"> {
  readonly text: string
  readonly length: number
}

/** Returns the address in `<https://…>` or `<a@b.c>`. */
export const autolinkAt = (text: string, at: number): Address | undefined => {
  addressPattern.lastIndex = at
  const match = addressPattern.exec(text)
  if (match === null) return undefined
  const [whole, url, email] = match
  return { url: url ?? `mailto:${email}`, text: url ?? email!, length: whole.length }
}
