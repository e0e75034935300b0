/** Adds composite glyphs to an embedded TrueType font: lists of other glyphs and their offsets. */

/** Part of a composite glyph, with its offset in font units. */
export interface Component {
  readonly id: number
  readonly x: number
  readonly y: number
}

interface ComposedGlyph {
  readonly components: ReadonlyArray<Component>
  readonly advance: number
}

interface Glyph {
  readonly cbox: { readonly minX: number; readonly minY: number; readonly maxX: number; readonly maxY: number }
}

/** Fields of a `fontkit` subset that its types leave out. */
export interface Subset {
  readonly font: {
    readonly getGlyph: (id: number) => Glyph
    readonly maxp: { maxComponentElements: number; maxComponentDepth: number }
  }
  readonly glyphs: Array<number | ComposedGlyph>
  readonly includeGlyph: (id: number) => number
  _addGlyph: (glyph: number | ComposedGlyph) => number
  /** Contents of the `glyf` table. Present during encoding. */
  readonly glyf: Array<Uint8Array>
  readonly loca: { readonly offsets: Array<number>; version: number }
  readonly hmtx: { readonly metrics: Array<{ readonly advance: number; readonly bearing: number }> }
  offset: number
}

/** Returns a function that adds a composite glyph to the subset and returns its glyph id there. */
export const glyphComposer = (subset: Subset): ((glyph: ComposedGlyph) => number) => {
  const addGlyph = subset._addGlyph.bind(subset)
  subset._addGlyph = (glyph) => (typeof glyph === "number" ? addGlyph(glyph) : write(subset, glyph))
  return (glyph) => {
    const { maxp } = subset.font
    maxp.maxComponentElements = Math.max(maxp.maxComponentElements, glyph.components.length)
    // Components may be composite glyphs themselves.
    maxp.maxComponentDepth = Math.max(maxp.maxComponentDepth, 4)
    return subset.glyphs.push(glyph) - 1
  }
}

const argsAreWords = 1
const argsAreOffsets = 2
const moreComponents = 32

const write = (subset: Subset, { components, advance }: ComposedGlyph): number => {
  const boxes = components.flatMap(({ id, x, y }) => {
    const { minX, minY, maxX, maxY } = subset.font.getGlyph(id).cbox
    return Number.isFinite(minX) ? [[minX + x, minY + y, maxX + x, maxY + y] as const] : []
  })
  const side = (edge: 0 | 1 | 2 | 3, extremeOf: (...values: ReadonlyArray<number>) => number) =>
    boxes.length === 0 ? 0 : Math.round(extremeOf(...boxes.map((box) => box[edge])))
  const bearing = side(0, Math.min)
  const view = new DataView(new ArrayBuffer(10 + 8 * components.length))
  const head = [-1, bearing, side(1, Math.min), side(2, Math.max), side(3, Math.max)]
  for (const [i, value] of head.entries()) view.setInt16(2 * i, value)
  for (const [i, { id, x, y }] of components.entries()) {
    const byteOffset = 10 + 8 * i
    view.setUint16(byteOffset, argsAreWords | argsAreOffsets | (i < components.length - 1 ? moreComponents : 0))
    view.setUint16(byteOffset + 2, subset.includeGlyph(id))
    view.setInt16(byteOffset + 4, x)
    view.setInt16(byteOffset + 6, y)
  }
  subset.glyf.push(new Uint8Array(view.buffer))
  subset.loca.offsets.push(subset.offset)
  // Version 1 has 32-bit offsets: the table may be too long for 16-bit offsets.
  subset.loca.version = 1
  subset.hmtx.metrics.push({ advance, bearing })
  subset.offset += view.byteLength
  return subset.glyf.length - 1
}
