/**
 * Has the glyphs of a font say what they stand for, so that text which is found in a PDF and copied from it is the
 * text that was written. `pdfkit` lets a glyph say the same everywhere, but one glyph is drawn for many letters: in
 * Arabic their dots are glyphs of their own. Here a glyph comes into the font once for each text that it stands for,
 * and glyphs that stand for nothing by themselves become one with that before them.
 *
 * Limits: 20,000 more glyphs for a font; what is beyond says what its glyph said first.
 */
import { type Component, composing, type Subset } from "./ComposedGlyphs.ts"

interface Glyph {
  readonly id: number
  readonly advanceWidth: number
  readonly codePoints: ReadonlyArray<number>
}

/** In thousandths of the size of the text. */
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

/** A font of `pdfkit` as its types don't know it. */
export interface EmbeddedFont {
  readonly font: {
    readonly _layoutEngine?: { readonly engine?: { readonly GPOSProcessor?: Marks } }
    layout: (text: string, ...more: ReadonlyArray<unknown>) => Layout
    getGlyph: (id: number, codePoints?: ReadonlyArray<number>) => Glyph
  }
  readonly scale: number
  readonly subset: Subset
  /** By the numbers of glyphs in the subset. */
  readonly widths: Array<number>
  readonly unicode: Array<ReadonlyArray<number>>
  readonly layout: (text: string, features?: unknown) => Layout
  encode: (text: string, features?: unknown) => [ReadonlyArray<string>, ReadonlyArray<Position>]
}

const maxMore = 20_000

const taught = new WeakSet<EmbeddedFont>()

/** `said`: gives the text that is read where another one is drawn, as long as that; undefined where they are the same. */
export const teach = (font: EmbeddedFont, said: () => string | undefined): void => {
  if (taught.has(font)) return
  taught.add(font)
  const { font: shaper, subset, scale } = font
  const numbers = new Map<string, number>()
  const compose = composing(subset)
  let more = 0

  const numberOf = (text: ReadonlyArray<number>, glyphs: ReadonlyArray<Glyph>, positions: ReadonlyArray<Position>) => {
    const components = glyphs.length === 1 ? [{ id: glyphs[0]!.id, x: 0, y: 0 }] : placed(glyphs, positions, scale)
    const key = `${components.map(({ id, x, y }) => `${id},${x},${y}`).join(";")}:${text.join(" ")}`
    let number = numbers.get(key)
    if (number !== undefined) return number
    const [{ id }] = components as [Component]
    const advance = glyphs.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0)
    number = components.length === 1 ? subset.includeGlyph(id) : undefined
    if (number === undefined || (font.unicode[number] !== undefined && more < maxMore)) {
      more++
      number = compose({ components, advance })
    }
    font.widths[number] ??= advance * scale
    font.unicode[number] ??= text
    numbers.set(key, number)
    return number
  }

  font.encode = (drawn, features) => {
    const { glyphs, positions } = font.layout(drawn, features)
    const codes: Array<string> = []
    const places: Array<Position> = []
    const read = { drawn: codePointsOf(drawn), said: codePointsOf(said() ?? drawn), runsLeft: leftward.test(drawn) }
    const letters = glyphs.map(({ codePoints }, i) => ({ codePoints, advances: positions[i]!.xAdvance !== 0 }))
    for (const { from, to, text } of signsOf(letters, read)) {
      const parts = to - from === 1 || more < maxMore ? [[from, to] as const] : alone(from, to)
      for (const [begin, end] of parts) {
        const at = positions.slice(begin, end)
        codes.push(numberOf(text, glyphs.slice(begin, end), at).toString(16).padStart(4, "0"))
        places.push(at.length === 1 ? at[0]! : together(at))
      }
    }
    return [codes, places]
  }

  const getGlyph = shaper.getGlyph.bind(shaper)
  // It keeps a glyph with the letters that it was first drawn for.
  shaper.getGlyph = (id, codePoints) => {
    const glyph = getGlyph(id, codePoints)
    return codePoints === undefined || isSame(glyph.codePoints, codePoints)
      ? glyph
      : (Object.create(glyph, { codePoints: { value: codePoints } }) as Glyph)
  }
  const marks = shaper._layoutEngine?.engine?.GPOSProcessor
  const applyAnchor = marks?.applyAnchor.bind(marks)
  // A letter may have no place for a mark of this kind, which then stays where it is. It would fail there.
  if (marks && applyAnchor) marks.applyAnchor = (mark, anchor, at) => void (anchor && applyAnchor(mark, anchor, at))
  const layout = shaper.layout.bind(shaper)
  // It would take the direction of the script, but numbers run to the right in each.
  shaper.layout = (text, features) =>
    digit.test(text) && !leftward.test(text)
      ? layout(text, features, undefined, undefined, "ltr")
      : layout(text, features)
}

const alone = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => [from + i, from + i + 1] as const)

/** Glyphs in their places, from where the first of them begins. */
const placed = (
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

const together = (positions: ReadonlyArray<Position>): Position => {
  const sum = (name: keyof Position) => positions.reduce((all, position) => all + position[name], 0)
  return { xAdvance: sum("xAdvance"), yAdvance: 0, xOffset: 0, yOffset: 0, advanceWidth: sum("advanceWidth") }
}

const isSame = (some: ReadonlyArray<number>, others: ReadonlyArray<number>): boolean =>
  some.length === others.length && some.every((one, i) => one === others[i])

const digit = /\p{Nd}/u
const leftward = /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const codePointsOf = (text: string): ReadonlyArray<number> => Array.from(text, (character) => character.codePointAt(0)!)

/** A glyph without ink stands for what has none. */
const invisible = /\p{Default_Ignorable_Code_Point}/u
const space = 0x20
const comparable = (codePoint: number): number => (invisible.test(String.fromCodePoint(codePoint)) ? space : codePoint)

/** Glyphs that together stand for a text, in the order that they are drawn in. */
interface Sign {
  readonly from: number
  readonly to: number
  readonly text: ReadonlyArray<number>
}

interface Letters {
  readonly codePoints: ReadonlyArray<number>
  /** False for a mark, which stands over or under what is before it. */
  readonly advances: boolean
}

interface Read {
  readonly drawn: ReadonlyArray<number>
  /** As long as what is drawn. */
  readonly said: ReadonlyArray<number>
  readonly runsLeft: boolean
}

export const signsOf = (glyphs: ReadonlyArray<Letters>, { drawn, said, runsLeft }: Read): ReadonlyArray<Sign> => {
  // At a sign without width readers lose the order of a line that runs to the left.
  if (runsLeft) return sharing(groupsOf(glyphs, runsLeft).toReversed(), said.map(comparable)).toReversed()
  const groups = groupsOf(glyphs, runsLeft)
  return isOrder(groups, drawn) ? sharing(groups, said) : turnedRound(groups, drawn, said)
}

interface Group {
  readonly from: number
  readonly to: number
  readonly codePoints: ReadonlyArray<number>
}

/**
 * Glyphs with those that stand for nothing, which follow them as the text is read. To the right marks are joined as
 * well; to the left they are not, since readers turn the letters of one glyph round there.
 */
const groupsOf = (glyphs: ReadonlyArray<Letters>, runsLeft: boolean): ReadonlyArray<Group> => {
  const groups: Array<{ from: number; to: number; codePoints: ReadonlyArray<number> }> = []
  for (const [i, { codePoints, advances }] of glyphs.entries()) {
    const last = groups.at(-1)
    const joins = runsLeft ? last?.codePoints.length === 0 : codePoints.length === 0 || !advances
    if (last === undefined || !joins) groups.push({ from: i, to: i + 1, codePoints })
    else {
      last.to = i + 1
      last.codePoints = [...last.codePoints, ...codePoints]
    }
  }
  return groups
}

/** Each takes as much of the text as it has code points, the last one all that is left. */
const sharing = (groups: ReadonlyArray<Group>, said: ReadonlyArray<number>): ReadonlyArray<Sign> => {
  let at = 0
  return groups.map(({ from, to, codePoints }, i) => {
    const end = i === groups.length - 1 ? said.length : at + codePoints.length
    const text = said.slice(at, end)
    at = end
    return { from, to, text }
  })
}

/**
 * Glyphs that stand in another order than their letters, as vowels of Indic scripts do, say the letters in the order
 * of these.
 */
const turnedRound = (
  groups: ReadonlyArray<Group>,
  drawn: ReadonlyArray<number>,
  said: ReadonlyArray<number>
): ReadonlyArray<Sign> => {
  /** Of code points that came since the last cut: those of the glyphs, less those of the text. */
  const open = new Map<number, number>()
  const count = (codePoint: number, by: number) => {
    const now = (open.get(codePoint) ?? 0) + by
    if (now === 0) open.delete(codePoint)
    else open.set(codePoint, now)
  }
  const signs: Array<Sign> = []
  let from = 0
  let to = 0
  let first = 0
  for (const [i, { codePoints }] of groups.entries()) {
    for (const codePoint of codePoints) {
      count(comparable(codePoint), 1)
      if (to < drawn.length) count(comparable(drawn[to++]!), -1)
    }
    const isLast = i === groups.length - 1
    if (open.size > 0 && !isLast) continue
    // The font may know other characters than the text has.
    const end = isLast ? said.length : to
    const parts = groups.slice(first, i + 1)
    const each = parts.map((part, place) => ({
      ...part,
      codePoints: said.slice(from + place, place === parts.length - 1 ? end : from + place + 1)
    }))
    signs.push(...sharing(each, said.slice(from, end)))
    from = end
    first = i + 1
  }
  return signs
}

const isOrder = (glyphs: ReadonlyArray<Group>, text: ReadonlyArray<number>): boolean => {
  let at = 0
  for (const { codePoints } of glyphs) {
    for (const codePoint of codePoints) {
      if (at >= text.length || comparable(codePoint) !== comparable(text[at++]!)) return false
    }
  }
  return at === text.length
}
