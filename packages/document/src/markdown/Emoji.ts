/**
 * Emoji by their short names, such as `:rocket:`. A document stores the code of an emoji: its code points in
 * hexadecimal, joined by hyphens, such as `1f680`. Unknown names are text.
 */
import emojiByName from "markdown-it-emoji/lib/data/full.mjs"
import { emojiCharacters } from "../EmojiCode.ts"

const emojiByShortName: ReadonlyMap<string, string> = new Map(Object.entries(emojiByName))

const codeOf = (emoji: string): string => Array.from(emoji, (point) => point.codePointAt(0)!.toString(16)).join("-")

const shortNamePattern = /^[a-z0-9_+-]{1,64}$/

/** Returns the code of the emoji with a short name; undefined if the name is unknown. */
export const codeOfName = (name: string): string | undefined => {
  const emoji = shortNamePattern.test(name) ? emojiByShortName.get(name) : undefined
  return emoji === undefined ? undefined : codeOf(emoji)
}

/** An emoji and its short name. */
export interface NamedEmoji {
  readonly name: string
  readonly code: string
}

/**
 * Returns emoji whose short name contains a text, each once. Names that start with the text come first, shorter names
 * before longer ones.
 */
export const emojiMatching = (text: string, limit: number): ReadonlyArray<NamedEmoji> => {
  const searched = text.toLowerCase().replaceAll(/[\s-]+/g, "_")
  const names = Array.from(emojiByShortName.keys()).filter(
    (name) => shortNamePattern.test(name) && name.includes(searched)
  )
  const rank = (name: string) => (name.startsWith(searched) ? 0 : 1000) + (searched === "" ? 0 : name.length)
  const codes = new Set<string>()
  const found: Array<NamedEmoji> = []
  for (const name of names.sort((a, b) => rank(a) - rank(b))) {
    const code = codeOf(emojiByShortName.get(name)!)
    if (codes.has(code)) continue
    codes.add(code)
    found.push({ name, code })
    if (found.length === limit) break
  }
  return found
}

let namesByCode: Map<string, string> | undefined

/** Returns a short name of an emoji; undefined if it has none. */
export const nameOfCode = (code: string): string | undefined => {
  if (namesByCode === undefined) {
    namesByCode = new Map()
    for (const [name, emoji] of emojiByShortName) {
      if (!shortNamePattern.test(name)) continue
      const emojiCode = codeOf(emoji)
      // Each code is also stored without the variation selector, since a code may lack it. The first of several names
      // is used.
      for (const key of [emojiCode, emojiCode.replaceAll("-fe0f", "")])
        if (!namesByCode.has(key)) namesByCode.set(key, name)
    }
  }
  return namesByCode.get(code) ?? namesByCode.get(code.replaceAll("-fe0f", ""))
}

/**
 * Returns an emoji as an element, which is an emoji also after a letter. Returns its characters if it has no short
 * name.
 */
export const emojiElement = (code: string): string => {
  const characters = emojiCharacters(code)
  return nameOfCode(code) === undefined
    ? characters
    : `<span data-gb-custom-inline data-tag="emoji" data-code="${code}">${characters}</span>`
}

const nameInText = /:([a-z0-9_+-]{1,64})(?=:)/g

/** Replaces each colon that would start an emoji with `colon`. */
export const escapeNames = (text: string, colon: string): string =>
  text.includes(":")
    ? text.replace(nameInText, (whole, name: string) => (emojiByShortName.has(name) ? colon + name : whole))
    : text
