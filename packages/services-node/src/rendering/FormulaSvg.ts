/**
 * Renders formulas as SVG, with MathML for assistive technology. Only listed elements and attributes are output, and
 * none of them is a style. A class states the depth below the baseline, in quarters of an ex.
 */
import { escape } from "@lectern/site/html/Html"
import { loadMathJax, numbered, type SvgNode } from "../pdf/MathJax.ts"

/** Allowed attributes by element. */
const attributesOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  g: ["transform", "fill", "stroke", "stroke-width"],
  path: ["d", "transform", "fill", "stroke", "stroke-width"],
  rect: ["x", "y", "width", "height", "transform", "fill", "stroke", "stroke-width"],
  line: ["x1", "y1", "x2", "y2", "transform", "fill", "stroke", "stroke-width"],
  ellipse: ["cx", "cy", "rx", "ry", "transform", "fill", "stroke", "stroke-width"],
  polygon: ["points", "transform", "fill", "stroke"],
  text: ["x", "y", "transform", "font-size", "fill", "stroke"],
  svg: ["x", "y", "width", "height", "viewBox", "transform"]
}

const isPlain = (value: string): boolean => /^[\w\s.,()#%+-]*$/.test(value)

const scaledNumber = ({ kind, attributes, children = [], value }: SvgNode): string => {
  if (kind === "#text") return escape(value ?? "")
  const allowed = Object.hasOwn(attributesOf, kind) ? attributesOf[kind]! : undefined
  const inner = children.map(scaledNumber).join("")
  if (allowed === undefined) return inner
  const attributeTexts = allowed
    .filter((name) => attributes[name] !== undefined && isPlain(String(attributes[name])))
    .map((name) => ` ${name}="${attributes[name]}"`)
  return `<${kind}${attributeTexts.join("")}>${inner}</${kind}>`
}

/** Maximum depth of a formula below the baseline, in quarters of an ex. */
const maxDepth = 40
const round = (value: number): number => Math.round(value * 1_000) / 1_000

export const render = async (tex: string, isBlock: boolean): Promise<ReadonlyArray<string> | undefined> => {
  const mathJax = await loadMathJax()
  const source = numbered(tex)
  const container = (await mathJax.tex2svgPromise(source, { display: isBlock })) as SvgNode
  const svg = container.children?.find(({ kind }) => kind === "svg")
  const [left, top, width, height] = (svg?.attributes["viewBox"] ?? "").split(/[\s,]+/).map(Number)
  const exWidth = Number.parseFloat(svg?.attributes["width"] ?? "")
  if (svg === undefined || !(width! > 0 && height! > 0 && exWidth > 0)) return undefined
  const perEx = width! / exWidth
  const quarters = isBlock ? 0 : Math.min(maxDepth, Math.max(0, Math.ceil(((height! + top!) / perEx) * 4)))
  // The box is extended to the depth that the class states.
  const boxHeight = isBlock ? height! : Math.max((quarters / 4) * perEx - top!, height!)
  const box = [left!, top!, width!, boxHeight].map(round).join(" ")
  const inner = (svg.children ?? []).map(scaledNumber).join("")
  const className = quarters === 0 ? "formula" : `formula deep-${quarters}`
  const html = `<svg class="${className}" viewBox="${box}" width="${round(exWidth)}ex" height="${round(boxHeight / perEx)}ex" aria-hidden="true">${inner}</svg>`
  return [`<span class="formula-box">${html}${await mathMl(mathJax, source, isBlock)}</span>`]
}

const mathMl = async (
  { tex2mmlPromise }: Awaited<ReturnType<typeof loadMathJax>>,
  tex: string,
  isBlock: boolean
): Promise<string> => {
  const source = await tex2mmlPromise(tex, { display: isBlock })
  const sanitized = source
    .replace(/<(\/?)(\w+)([^>]*)>/g, (_, end: string, name: string, attributes: string) =>
      elements.has(name) ? `<${end}${name}${end === "" ? allowedAttributes(attributes) : ""}>` : ""
    )
    .replace(/>\s+</g, "><")
  return `<span class="formula-text">${sanitized}</span>`
}

const elements: ReadonlySet<string> = new Set(
  "math mi mn mo ms mtext mspace mrow mfrac msqrt mroot mstyle merror mpadded mphantom menclose msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd mlabeledtr".split(
    " "
  )
)

const allowedAttributes = (attributes: string): string =>
  Array.from(
    attributes.matchAll(/\s(display|mathvariant|stretchy|accent|notation)="([\w\s-]*)"/g),
    ([matchedText]) => matchedText
  ).join("")
