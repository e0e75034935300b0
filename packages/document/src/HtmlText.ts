/**
 * Extracts the text of raw HTML, without tags, comments and invisible elements. Parts that browsers display as separate
 * blocks are on separate lines. Accepts any input, takes linear time, and the result contains no markup.
 */
import { namedCharacter } from "./NamedCharacter.ts"

/** Elements whose text is invisible. */
const invisibleElements = new Set([
  "head",
  "iframe",
  "noscript",
  "object",
  "script",
  "style",
  "svg",
  "template",
  "title"
])

/** Inline elements, whose text is part of the enclosing line. */
const inlineElements = new Set(
  (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark meter nobr output picture " +
    "progress q rb rp rt ruby s samp small source span strike strong sub sup time tt u var wbr"
  ).split(" ")
)

const tagName = /<(\/?)([a-z][a-z0-9-]*)/iy

/**
 * Calls `visit` with the range of each text in HTML, in order. `isSeparate`: true if browsers display the text
 * separately from the text before it.
 */
export const visitTexts = (html: string, visit: (from: number, to: number, isSeparate: boolean) => void): void => {
  let isSeparate = false
  const visitRange = (from: number, to: number) => {
    if (from === to) return
    visit(from, to, isSeparate)
    isSeparate = false
  }
  for (let at = 0; at < html.length;) {
    const next = html.indexOf("<", at)
    visitRange(at, next === -1 ? html.length : next)
    if (next === -1) return
    tagName.lastIndex = next
    const [, slash = "", tag = ""] = tagName.exec(html) ?? []
    const name = tag.toLowerCase()
    at = endOfMarkup(html, next, slash, name)
    if (at === next) {
      visitRange(next, next + 1)
      at++
    } else if (name !== "" && !inlineElements.has(name) && !invisibleElements.has(name)) isSeparate = true
  }
}

/** Returns the text with unchanged white space. */
export const htmlText = (html: string): string => {
  const pieces: Array<string> = []
  visitTexts(html, (from, to, isSeparate) => {
    const piece = decodeReferences(html.slice(from, to))
    // Only the last piece is read, since reading the whole text for each piece takes quadratic time.
    const last = pieces.at(-1)
    if (isSeparate && last !== undefined && !/\s/.test(last.at(-1) ?? "") && !/^\s/.test(piece)) pieces.push("\n")
    pieces.push(piece)
  })
  return pieces.join("")
}

/**
 * Returns the end of the tag or comment that starts at `at`. An unclosed one extends to the end of the text. Returns
 * `at` if no markup starts there. `name`: name of the tag in lower case.
 */
const endOfMarkup = (html: string, at: number, slash: string, name: string): number => {
  if (html.startsWith("<!--", at)) return endAfter(html, "-->", at + 2)
  if (html.startsWith("<![CDATA[", at)) return endAfter(html, "]]>", at)
  if (name === "") return html[at + 1] === "!" || html[at + 1] === "?" ? endAfter(html, ">", at) : at
  const end = endAfter(html, ">", at)
  if (slash === "/" || !invisibleElements.has(name)) return end
  const close = new RegExp(`</${name}\\s*>`, "gi")
  close.lastIndex = end
  return close.test(html) ? close.lastIndex : html.length
}

const endAfter = (html: string, end: string, at: number): number => {
  const visitRange = html.indexOf(end, at)
  return visitRange === -1 ? html.length : visitRange + end.length
}

/** Returns a text without HTML comments. All other text stays. */
export const withoutComments = (text: string): string => {
  let result = ""
  for (let at = 0; ;) {
    const next = text.indexOf("<!--", at)
    if (next === -1) return result + text.slice(at)
    result += text.slice(at, next)
    at = endAfter(text, "-->", next + 2)
  }
}

const characterReference = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,31}));/gi

/** Returns a text with its character references decoded. */
export const decodeReferences = (text: string): string =>
  text.includes("&")
    ? text.replace(characterReference, (source, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return namedCharacter(name) ?? source
        const code = decimal === undefined ? parseInt(hex!, 16) : Number(decimal)
        return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "�" : String.fromCodePoint(code)
      })
    : text
