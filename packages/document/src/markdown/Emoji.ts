/**
 * Emoji by their short names, as `:rocket:`. A document holds the code points of one in hexadecimal,
 * joined by hyphens: `1f680`. A name that is not known is text.
 */
import emojiByName from "markdown-it-emoji/lib/data/full.mjs"

const names: ReadonlyMap<string, string> = new Map(Object.entries(emojiByName))

const codeOf = (emoji: string): string => Array.from(emoji, (point) => point.codePointAt(0)!.toString(16)).join("-")

const isShort = /^[a-z0-9_+-]{1,64}$/

/** The code of the emoji with this name. */
export const codeOfName = (name: string): string | undefined => {
  const emoji = isShort.test(name) ? names.get(name) : undefined
  return emoji === undefined ? undefined : codeOf(emoji)
}

let namesByCode: Map<string, string> | undefined

/** A short name of the emoji with this code; undefined where it has none. */
export const nameOfCode = (code: string): string | undefined => {
  if (namesByCode === undefined) {
    namesByCode = new Map()
    for (const [name, emoji] of names) {
      if (!isShort.test(name)) continue
      const known = codeOf(emoji)
      // Some have several names, and a code may come without the selector of its variant.
      for (const key of [known, known.replaceAll("-fe0f", "")]) if (!namesByCode.has(key)) namesByCode.set(key, name)
    }
  }
  return namesByCode.get(code) ?? namesByCode.get(code.replaceAll("-fe0f", ""))
}

/** The characters of the emoji with this code; the code itself where it is none. */
export const charactersOf = (code: string): string => {
  const points = code.split("-").map((point) => (/^[0-9a-f]{1,6}$/i.test(point) ? Number.parseInt(point, 16) : -1))
  return points.every((point) => point >= 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff))
    ? String.fromCodePoint(...points)
    : code
}

/** The emoji as an element, which is one behind a letter as well; its characters where it has no short name. */
export const elementOf = (code: string): string => {
  const characters = charactersOf(code)
  return nameOfCode(code) === undefined
    ? characters
    : `<span data-gb-custom-inline data-tag="emoji" data-code="${code}">${characters}</span>`
}

const inText = /:([a-z0-9_+-]{1,64})(?=:)/g

/** Text with `colon` in place of a colon that would begin an emoji. */
export const escaped = (text: string, colon: string): string =>
  text.includes(":") ? text.replace(inText, (whole, name: string) => (names.has(name) ? colon + name : whole)) : text
