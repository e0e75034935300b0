/**
 * Fonts of a PDF: the Noto families for text and code, and fallbacks for characters without a glyph in them. Packages
 * split a font into slices by Unicode range, as browsers load them. A slice is loaded when a text first needs one of
 * its characters in a given weight. The PDF embeds only the used glyphs.
 *
 * A character without a glyph in any font is displayed as its number, such as `[U+1F8FF]`. No character is lost
 * silently.
 */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import * as fontkit from "fontkit"
import subsetFont from "subset-font"

export interface Face {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly mono?: boolean
}

/** A font that is registered with the document under its name. */
export interface LoadedFont {
  readonly name: string
  readonly data: Uint8Array
  readonly has: (codePoint: number) => boolean
}

/** A piece of text that one font has all glyphs for. */
export interface FontRun {
  readonly font: LoadedFont
  readonly text: string
}

interface Family {
  readonly name: string
  /** True if the font has a weight axis. Otherwise it has one weight. */
  readonly variable: boolean
  readonly italic?: true
  /** Unicode ranges to use, if the package has the family in one file. */
  readonly ranges?: string
}

const text: Family = { name: "@fontsource-variable/noto-sans", variable: true, italic: true }
const mono: Family = { name: "@fontsource-variable/noto-sans-mono", variable: true }
/** Box-drawing characters, arrows and symbols as wide as the letters of code. */
const monoSymbols: Family = {
  name: "@fontsource/dejavu-mono",
  variable: false,
  ranges: "U+2190-21FF,U+2300-23FF,U+2500-26FF,U+2701-27BF,U+2800-28FF"
}
const emoji: Family = { name: "@fontsource-variable/noto-emoji", variable: true }
const chinese: Family = { name: "@fontsource-variable/noto-sans-sc", variable: true }
const japanese: Family = { name: "@fontsource-variable/noto-sans-jp", variable: true }
const korean: Family = { name: "@fontsource-variable/noto-sans-kr", variable: true }
const scripts: ReadonlyArray<Family> = ["arabic", "hebrew", "thai", "armenian", "georgian", "bengali", "tamil"].map(
  (script) => ({ name: `@fontsource-variable/noto-sans-${script}`, variable: true })
)
const symbols: ReadonlyArray<Family> = [
  {
    name: "@fontsource/noto-sans-math",
    variable: false,
    ranges: "U+0302-0305,U+2016-2044,U+20D0-20EF,U+2100-2BFF,U+1D400-1D7FF,U+1EE00-1EEFF"
  },
  { name: "@fontsource/noto-sans-symbols-2", variable: false }
]

/** Characters without a visible form: joiners, variation selectors, direction marks, tags. */
const invisible = /\p{Default_Ignorable_Code_Point}/u
const isEmoji = /\p{Emoji_Presentation}/u
/** Skin tone modifiers, which have no meaning without colors. */
const isTone = /\p{Emoji_Modifier}/u
const isControl = /\p{Cc}/u

interface Slice {
  readonly file: string
  readonly ranges: ReadonlyArray<readonly [number, number]>
  readonly loaded: Map<string, LoadedFont>
}

const require = createRequire(import.meta.url)

export class Fonts {
  readonly #slices = new Map<Family, ReadonlyArray<Slice>>()
  readonly #cache = new Map<string, LoadedFont | undefined>()
  readonly #register: (font: LoadedFont) => void
  #eastAsian: ReadonlyArray<Family> = [chinese, japanese, korean]
  #requestedCharacters = new Set<string>()

  constructor(register: (font: LoadedFont) => void) {
    this.#register = register
  }

  /** Sets which East Asian font comes first, since the same character looks different in each. */
  preferFor(sample: string, language?: string): void {
    const isJapanese = language === "ja" || /[\u3040-\u30ff]/.test(sample)
    const first = isJapanese ? japanese : language === "ko" || /[\uac00-\ud7af]/.test(sample) ? korean : chinese
    this.#eastAsian = [first, ...[chinese, japanese, korean].filter((family) => family !== first)]
    this.#cache.clear()
  }

  /** Loads the fonts that the text needs in these faces. */
  async prepare(sample: string, faces: ReadonlyArray<Face>): Promise<void> {
    for (const face of faces) {
      const key = keyOf(face)
      for (const character of new Set(sample + substituteCharacters)) {
        const codePoint = character.codePointAt(0)!
        const requestedCharacters = `${key}${character}`
        if (this.#requestedCharacters.has(requestedCharacters)) continue
        this.#requestedCharacters.add(requestedCharacters)
        for (const family of this.#families(character, face)) {
          const font = await this.#load(family, codePoint, face)
          if (font?.has(codePoint) === true) break
        }
      }
    }
    this.#cache.clear()
  }

  /** Splits a text where its font changes. Characters that were not prepared count as missing. */
  runs(source: string, face: Face): Array<FontRun> {
    const runs: Array<{ font: LoadedFont; text: string }> = []
    const key = keyOf(face)
    const add = (font: LoadedFont, piece: string) => {
      const lastRun = runs.at(-1)
      if (lastRun?.font === font) lastRun.text += piece
      else runs.push({ font, text: piece })
    }
    let previousCharacter = ""
    for (const character of source) {
      const tints = isTone.test(character) && isEmoji.test(previousCharacter)
      previousCharacter = character
      if (tints) continue
      const font = this.#fontOf(character, face, key)
      if (font !== undefined) add(font, character)
      else if (invisible.test(character)) {
        // Joiners shape the adjacent letters if the font of these letters has them.
        const lastRun = runs.at(-1)
        if (lastRun?.font.has(character.codePointAt(0)!) === true) lastRun.text += character
      } else add(this.#fontOf("U", face, key)!, substitute(character))
    }
    return runs
  }

  #families(character: string, { mono: isMono }: Face): ReadonlyArray<Family> {
    const usualFamilies = isMono === true ? [mono, monoSymbols, text] : [text]
    const rest = [...scripts, ...this.#eastAsian, ...symbols]
    return isEmoji.test(character) ? [emoji, ...usualFamilies, ...rest] : [...usualFamilies, ...rest, emoji]
  }

  #fontOf(character: string, face: Face, key: string): LoadedFont | undefined {
    const cacheKey = `${key}${character}`
    if (this.#cache.has(cacheKey)) return this.#cache.get(cacheKey)
    const codePoint = character.codePointAt(0)!
    let cache: LoadedFont | undefined
    if (!isControl.test(character) && !invisible.test(character)) {
      for (const family of this.#families(character, face)) {
        const slices = this.#slices.get(family)?.filter((slice) => covers(slice, codePoint)) ?? []
        for (const slice of slices) {
          const exact = slice.loaded.get(variantOf(family, face))
          const font = exact ?? slice.loaded.values().next().value
          if (font?.has(codePoint) === true) cache ??= font
        }
        if (cache !== undefined) break
      }
    }
    this.#cache.set(cacheKey, cache)
    return cache
  }

  async #load(family: Family, codePoint: number, face: Face): Promise<LoadedFont | undefined> {
    for (const slice of await this.#slicesOf(family)) {
      if (!covers(slice, codePoint)) continue
      const variant = variantOf(family, face)
      let font = slice.loaded.get(variant)
      if (font === undefined) {
        font = await read(family, slice, variant)
        slice.loaded.set(variant, font)
        this.#register(font)
      }
      if (font.has(codePoint)) return font
    }
    return undefined
  }

  async #slicesOf(family: Family): Promise<ReadonlyArray<Slice>> {
    const cachedSlices = this.#slices.get(family)
    if (cachedSlices !== undefined) return cachedSlices
    const folder = dirname(require.resolve(`${family.name}/package.json`))
    const id = family.name.split("/")[1]!
    const parts: { readonly [part: string]: string } =
      family.ranges === undefined
        ? JSON.parse(await readFile(join(folder, "unicode.json"), "utf8"))
        : { latin: family.ranges }
    const slices = Object.entries(parts).map(([part, ranges]): Slice => {
      const name = part.replace(/^\[(\d+)\]$/, "$1")
      return { file: join(folder, "files", `${id}-${name}`), ranges: rangesOf(ranges), loaded: new Map() }
    })
    this.#slices.set(family, slices)
    return slices
  }
}

const keyOf = ({ bold, italic, mono }: Face): string => `${bold ? "b" : ""}${italic ? "i" : ""}${mono ? "m" : ""}:`

/** Returns the variant of a slice: weight and slope. */
const variantOf = ({ variable, italic }: Family, face: Face): string =>
  `${variable && face.bold === true ? 700 : 400}-${italic === true && face.italic === true ? "italic" : "normal"}`

const read = async (family: Family, { file, ranges }: Slice, variant: string): Promise<LoadedFont> => {
  const [weight, slope] = variant.split("-") as [string, string]
  const source = await readFile(`${file}-${family.variable ? "wght" : weight}-${slope}.woff2`)
  const data = await subsetFont(source, charactersIn(ranges), {
    targetFormat: "truetype",
    ...(family.variable && { variationAxes: { wght: Number(weight) } })
  })
  const supportedCharacters = new Set(charactersOf(data))
  return { name: `${file}-${variant}`, data, has: (codePoint) => supportedCharacters.has(codePoint) }
}

/** Returns the characters of a font. A slice without any character of its range has no character table either. */
const charactersOf = (data: Uint8Array): ReadonlyArray<number> => {
  const font = fontkit.create(Buffer.from(data)) as fontkit.Font
  try {
    return font.characterSet
  } catch {
    return []
  }
}

const charactersIn = (ranges: Slice["ranges"]): string => {
  const characters: Array<string> = []
  for (const [first, last] of ranges) {
    for (let codePoint = first; codePoint <= last; codePoint++) {
      if (codePoint < 0xd800 || codePoint > 0xdfff) characters.push(String.fromCodePoint(codePoint))
    }
  }
  return characters.join("")
}

const rangesOf = (text: string): Slice["ranges"] =>
  text.split(",").flatMap((range) => {
    const [, first, last] = /^U\+([0-9a-f]+)(?:-([0-9a-f]+))?$/i.exec(range.trim()) ?? []
    return first === undefined ? [] : [[parseInt(first, 16), parseInt(last ?? first, 16)] as const]
  })

const covers = ({ ranges }: Slice, codePoint: number): boolean =>
  ranges.some(([first, last]) => first <= codePoint && codePoint <= last)

const substituteCharacters = "[]+0123456789ABCDEFU"

const substitute = (character: string): string =>
  `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`
