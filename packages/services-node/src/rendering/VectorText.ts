/**
 * Sets text of SVG in the fonts of PDFs, since the fonts of its author are not available. Monospaced families become
 * the monospaced font, and other families the sans-serif font. HTML in an SVG becomes plain text in the middle of its
 * box, since Mermaid diagrams have their labels in HTML.
 */
import type { Renderer } from "@takumi-rs/wasm"
import { type Face, Fonts, type LoadedFont } from "../pdf/Fonts.ts"

const isMono = /mono|courier|consol|menlo|typewriter|\bcode\b/i
const familyOf = (names: string) => (isMono.test(names) ? "monospace" : "sans-serif")

const attribute = /(\sfont-family\s*=\s*)(?:"([^"<>]*)"|'([^'<>]*)')/gi
const quote = "&(?:quot|apos|#3[49]);"
const name = `(?:"[^"<>;{}]*"|'[^'<>;{}]*'|(?:${quote}|[^,;"'<>{}])+)`
const declaration = new RegExp(`(font-family\\s*:\\s*)(${name}(?:,\\s*${name})*)`, "gi")

const hasText = /<(?:\w+:)?text\b/
const isBold = /bold|font-weight\s*[=:]\s*["']?\s*[6-9]00/i
const isItalic = /italic|oblique/i
const numeric = /&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi

interface FontSet {
  readonly font: LoadedFont
  readonly face: Face
}

export class VectorText {
  readonly #loadedFonts: Array<FontSet> = []
  #face: Face = {}
  readonly #fonts = new Fonts((font) => this.#loadedFonts.push({ font, face: this.#face }))

  /** Registers the fonts that an SVG needs, and returns the SVG with generic font families. */
  async prepare(renderer: Renderer, source: string): Promise<string> {
    const svg = withLabels(source)
    if (!hasText.test(svg)) return svg
    const characters = charactersIn(svg)
    const faces: ReadonlyArray<Face> = [
      {},
      ...(isBold.test(svg) ? [{ bold: true }] : []),
      ...(isItalic.test(svg) ? [{ italic: true }] : []),
      ...(isMono.test(svg) ? [{ mono: true }] : [])
    ]
    this.#fonts.preferFor(characters)
    for (const face of faces) {
      this.#face = face
      await this.#fonts.prepare(characters, [face])
    }
    for (const { font, face } of this.#loadedFonts) {
      renderer.registerFont({
        name: font.name,
        data: font.data,
        weight: face.bold === true ? 700 : 400,
        style: face.italic === true ? "italic" : "normal",
        // Only fonts with Latin letters are generic families. Fonts of other scripts are fallbacks by character.
        ...(font.has(0x41) && { generic: face.mono === true ? ("monospace" as const) : ("sans-serif" as const) })
      })
    }
    return svg
      .replace(attribute, (_, attributePrefix: string, double?: string, single?: string) => {
        return `${attributePrefix}"${familyOf(double ?? single ?? "")}"`
      })
      .replace(declaration, (_, declarationPrefix: string, names: string) => declarationPrefix + familyOf(names))
      .replace(/<((?:\w+:)?svg)(?=[\s>])(?![^>]*\sfont-family\s*=)/, '<$1 font-family="sans-serif"')
  }
}

const foreign = /<foreignObject\b([^>]*)>((?:(?!<\/?foreignObject\b)[\s\S])*)<\/foreignObject>/g

/** Replaces HTML by text. In a `switch` the HTML stays, since its fallback follows. */
const withLabels = (svg: string): string =>
  svg.replace(foreign, (element, attributes: string, html: string, offset: number) => {
    if (/<switch\b[^>]*>\s*$/.test(svg.slice(Math.max(0, offset - 200), offset))) return element
    const length = (attributeName: string) =>
      Number(new RegExp(`\\s${attributeName}\\s*=\\s*["']([\\d.+-]{1,20})`).exec(attributes)?.[1] ?? 0)
    const lines = html
      .replace(/<(?:br|\/p|\/div|\/li)\b[^>]*>/gi, "\n")
      .replace(/<[^>]*>/g, "")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
    const centerX = length("x") + length("width") / 2
    const top = length("y") + length("height") / 2
    const spans = lines.map((line, i) => {
      const down = i === 0 ? `${0.35 - 0.6 * (lines.length - 1)}em` : "1.2em"
      return `<tspan x="${centerX}" dy="${down}">${line}</tspan>`
    })
    return `<text x="${centerX}" y="${top}" text-anchor="middle">${spans.join("")}</text>`
  })

/** Returns the distinct characters of an SVG. The few characters of tags and styles are included. */
const charactersIn = (svg: string): string => {
  const characters = new Set<string>()
  for (const character of svg) if (!/\p{C}/u.test(character)) characters.add(character)
  for (const [, hex, decimal] of svg.matchAll(numeric)) {
    const codePoint = hex === undefined ? Number(decimal) : parseInt(hex, 16)
    if (codePoint > 0x20 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff)) {
      characters.add(String.fromCodePoint(codePoint))
    }
  }
  return [...characters].join("")
}
