/**
 * Maps the glyphs of a font to text, so that search in a PDF and copying from it return the original text. `pdfkit`
 * maps a glyph to one text everywhere, but one glyph is drawn for many letters. In Arabic, for example, the dots of
 * letters are separate glyphs. The font gets a copy of a glyph for each text that it stands for. Glyphs without a text
 * are combined with the glyph before them.
 *
 * Limits: 20,000 additional glyphs per font. After that, a glyph keeps its first text.
 */
import { type Component, glyphComposer, type Subset } from "./ComposedGlyphs.ts"

interface Glyph {
  readonly id: number
  readonly advanceWidth: number
  readonly codePoints: ReadonlyArray<number>
}

/** Offsets and advances in thousandths of the font size. */
interface Position {
  readonly xAdvance: number
  readonly yAdvance: number
  readonly xOffset: number
  readonly yOffset: number
  readonly advanceWidth: number
}

interface Layout {
  readonly glyphs: ReadonlyArray<Glyph>
  readonly positions: ReadonlyArray<Position>
}

interface Marks {
  applyAnchor: (mark: unknown, anchor: object | null, at: number) => void
}

/** Fields of a `pdfkit` font that its types leave out. */
export interface EmbeddedFont {
  readonly font: {
    readonly _layoutEngine?: { readonly engine?: { readonly GPOSProcessor?: Marks } }
    layout: (text: string, ...composedCount: ReadonlyArray<unknown>) => Layout
    getGlyph: (id: number, codePoints?: ReadonlyArray<number>) => Glyph
  }
  readonly scale: number
  readonly subset: Subset
  /** Widths of glyphs by their ids in the subset. */
  readonly widths: Array<number>
  readonly unicode: Array<ReadonlyArray<number>>
  readonly layout: (text: string, features?: unknown) => Layout
  encode: (text: string, features?: unknown) => [ReadonlyArray<string>, ReadonlyArray<Position>]
}

const maxComposedGlyphs = 20_000

const patchedFonts = new WeakSet<EmbeddedFont>()

/**
 * Maps the glyphs of a font to their text. `extractedText` returns the text to extract in place of the drawn text, of equal
 * length. Undefined if both are equal.
 */
export const patchFont = (font: EmbeddedFont, extractedText: () => string | undefined): void => {
  if (patchedFonts.has(font)) return
  patchedFonts.add(font)
  const { font: shaper, subset, scale } = font
  const numbers = new Map<string, number>()
  const compose = glyphComposer(subset)
  let composedCount = 0

  const numberOf = (text: ReadonlyArray<number>, glyphs: ReadonlyArray<Glyph>, positions: ReadonlyArray<Position>) => {
    const components =
      glyphs.length === 1 ? [{ id: glyphs[0]!.id, x: 0, y: 0 }] : componentsOf(glyphs, positions, scale)
    const key = `${components.map(({ id, x, y }) => `${id},${x},${y}`).join(";")}:${text.join(" ")}`
    let number = numbers.get(key)
    if (number !== undefined) return number
    const [{ id }] = components as [Component]
    const advance = glyphs.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0)
    number = components.length === 1 ? subset.includeGlyph(id) : undefined
    if (number === undefined || (font.unicode[number] !== undefined && composedCount < maxComposedGlyphs)) {
      composedCount++
      number = compose({ components, advance })
    }
    font.widths[number] ??= advance * scale
    font.unicode[number] ??= text
    numbers.set(key, number)
    return number
  }

  font.encode = (sourceText, features) => {
    const { glyphs, positions } = font.layout(sourceText, features)
    const codes: Array<string> = []
    const positionsInText: Array<Position> = []
    const read = {
      sourceText: codePointsOf(sourceText),
      extractedText: codePointsOf(extractedText() ?? sourceText),
      runsLeft: rightToLeft.test(sourceText)
    }
    const letters = glyphs.map(({ codePoints }, i) => ({ codePoints, advances: positions[i]!.xAdvance !== 0 }))
    for (const { from, to, text } of glyphRunsOf(letters, read)) {
      const parts =
        to - from === 1 || composedCount < maxComposedGlyphs ? [[from, to] as const] : singleRanges(from, to)
      for (const [begin, end] of parts) {
        const runPositions = positions.slice(begin, end)
        codes.push(numberOf(text, glyphs.slice(begin, end), runPositions).toString(16).padStart(4, "0"))
        positionsInText.push(runPositions.length === 1 ? runPositions[0]! : combinedPosition(runPositions))
      }
    }
    return [codes, positionsInText]
  }

  const getGlyph = shaper.getGlyph.bind(shaper)
  // `fontkit` caches a glyph with the characters of its first use. For other characters, a copy of the glyph is created.
  shaper.getGlyph = (id, codePoints) => {
    const glyph = getGlyph(id, codePoints)
    return codePoints === undefined || isSame(glyph.codePoints, codePoints)
      ? glyph
      : (Object.create(glyph, { codePoints: { value: codePoints } }) as Glyph)
  }
  const marks = shaper._layoutEngine?.engine?.GPOSProcessor
  const applyAnchor = marks?.applyAnchor.bind(marks)
  // A letter may have no anchor for a mark of this class, and `fontkit` fails then. The mark stays in place instead.
  if (marks && applyAnchor) marks.applyAnchor = (mark, anchor, at) => void (anchor && applyAnchor(mark, anchor, at))
  const layout = shaper.layout.bind(shaper)
  // `fontkit` takes the direction of the script, but numbers run from left to right in every script.
  shaper.layout = (text, features) =>
    digit.test(text) && !rightToLeft.test(text)
      ? layout(text, features, undefined, undefined, "ltr")
      : layout(text, features)
}

const singleRanges = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => [from + i, from + i + 1] as const)

/** Returns glyphs with offsets from the origin of the first one, in font units. */
const componentsOf = (
  glyphs: ReadonlyArray<Glyph>,
  positions: ReadonlyArray<Position>,
  scale: number
): ReadonlyArray<Component> => {
  let pen = 0
  return glyphs.map(({ id }, i) => {
    const { xOffset, yOffset, xAdvance } = positions[i]!
    const component = { id, x: Math.round((pen + xOffset) / scale), y: Math.round(yOffset / scale) }
    pen += xAdvance
    return component
  })
}

const combinedPosition = (positions: ReadonlyArray<Position>): Position => {
  const sum = (name: keyof Position) => positions.reduce((total, position) => total + position[name], 0)
  return { xAdvance: sum("xAdvance"), yAdvance: 0, xOffset: 0, yOffset: 0, advanceWidth: sum("advanceWidth") }
}

const isSame = (numbers: ReadonlyArray<number>, otherNumbers: ReadonlyArray<number>): boolean =>
  numbers.length === otherNumbers.length && numbers.every((number, i) => number === otherNumbers[i])

const digit = /\p{Nd}/u
const rightToLeft = /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const codePointsOf = (text: string): ReadonlyArray<number> => Array.from(text, (character) => character.codePointAt(0)!)

/** A glyph without ink stands for an invisible character. */
const invisible = /\p{Default_Ignorable_Code_Point}/u
const space = 0x20
const comparable = (codePoint: number): number => (invisible.test(String.fromCodePoint(codePoint)) ? space : codePoint)

/** Glyphs that stand for one text together, in drawing order. */
interface GlyphRun {
  readonly from: number
  readonly to: number
  readonly text: ReadonlyArray<number>
}

interface GlyphLetters {
  readonly codePoints: ReadonlyArray<number>
  /** False for a combining mark, which stands above or below the glyph before it. */
  readonly advances: boolean
}

interface LineText {
  readonly sourceText: ReadonlyArray<number>
  /** Text to extract, as long as the drawn text. */
  readonly extractedText: ReadonlyArray<number>
  readonly runsLeft: boolean
}

export const glyphRunsOf = (
  glyphs: ReadonlyArray<GlyphLetters>,
  { sourceText, extractedText, runsLeft }: LineText
): ReadonlyArray<GlyphRun> => {
  // Readers lose the order of a right-to-left line at a glyph without width.
  if (runsLeft) return assignTexts(groupsOf(glyphs, runsLeft).toReversed(), extractedText.map(comparable)).toReversed()
  const groups = groupsOf(glyphs, runsLeft)
  return isOrder(groups, sourceText)
    ? assignTexts(groups, extractedText)
    : assignReorderedTexts(groups, sourceText, extractedText)
}

interface GlyphGroup {
  readonly from: number
  readonly to: number
  readonly codePoints: ReadonlyArray<number>
}

/**
 * Groups each glyph with the following glyphs, in reading order, that have no text. In left-to-right text marks join
 * the group too. In right-to-left text they do not, since readers reverse the letters of one glyph.
 */
const groupsOf = (glyphs: ReadonlyArray<GlyphLetters>, runsLeft: boolean): ReadonlyArray<GlyphGroup> => {
  const groups: Array<{ from: number; to: number; codePoints: ReadonlyArray<number> }> = []
  for (const [i, { codePoints, advances }] of glyphs.entries()) {
    const lastGroup = groups.at(-1)
    const joins = runsLeft ? lastGroup?.codePoints.length === 0 : codePoints.length === 0 || !advances
    if (lastGroup === undefined || !joins) groups.push({ from: i, to: i + 1, codePoints })
    else {
      lastGroup.to = i + 1
      lastGroup.codePoints = [...lastGroup.codePoints, ...codePoints]
    }
  }
  return groups
}

/** Assigns to each group as much of the text as it has code points. The last group gets the rest. */
const assignTexts = (
  groups: ReadonlyArray<GlyphGroup>,
  extractedText: ReadonlyArray<number>
): ReadonlyArray<GlyphRun> => {
  let start = 0
  return groups.map(({ from, to, codePoints }, i) => {
    const end = i === groups.length - 1 ? extractedText.length : start + codePoints.length
    const text = extractedText.slice(start, end)
    start = end
    return { from, to, text }
  })
}

/**
 * Maps glyphs whose order differs from that of their letters, such as vowels in Indic scripts. Their text is the
 * letters in reading order.
 */
const assignReorderedTexts = (
  groups: ReadonlyArray<GlyphGroup>,
  sourceText: ReadonlyArray<number>,
  extractedText: ReadonlyArray<number>
): ReadonlyArray<GlyphRun> => {
  /** Difference in number, by code point since the last cut, between glyphs and text. */
  const surplus = new Map<number, number>()
  const count = (codePoint: number, change: number) => {
    const now = (surplus.get(codePoint) ?? 0) + change
    if (now === 0) surplus.delete(codePoint)
    else surplus.set(codePoint, now)
  }
  const signs: Array<GlyphRun> = []
  let from = 0
  let to = 0
  let first = 0
  for (const [i, { codePoints }] of groups.entries()) {
    for (const codePoint of codePoints) {
      count(comparable(codePoint), 1)
      if (to < sourceText.length) count(comparable(sourceText[to++]!), -1)
    }
    const isLast = i === groups.length - 1
    if (surplus.size > 0 && !isLast) continue
    // The font may map glyphs to other characters than those of the text.
    const end = isLast ? extractedText.length : to
    const parts = groups.slice(first, i + 1)
    const each = parts.map((part, place) => ({
      ...part,
      codePoints: extractedText.slice(from + place, place === parts.length - 1 ? end : from + place + 1)
    }))
    signs.push(...assignTexts(each, extractedText.slice(from, end)))
    from = end
    first = i + 1
  }
  return signs
}

const isOrder = (glyphs: ReadonlyArray<GlyphGroup>, text: ReadonlyArray<number>): boolean => {
  let index = 0
  for (const { codePoints } of glyphs) {
    for (const codePoint of codePoints) {
      if (index >= text.length || comparable(codePoint) !== comparable(text[index++]!)) return false
    }
  }
  return index === text.length
}
