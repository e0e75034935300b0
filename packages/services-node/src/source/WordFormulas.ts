/**
 * Converts formulas of Word (Office Math Markup) to LaTeX: fractions, scripts, radicals, n-ary operators, delimiters,
 * matrices, functions, limits, accents and bars. An unknown element is replaced by its content.
 *
 * Limits: 40 nested elements, 20,000 characters. A larger formula becomes its text.
 */
import * as FormulaText from "./FormulaText.ts"

export interface Formula {
  readonly latex: string
  /** True if the formula stands on its own line. */
  readonly isBlock: boolean
}

/** An element of a formula, by its name without a prefix. */
export interface MathElement {
  readonly name: string
  /** Attribute `m:val`. */
  readonly value: string | undefined
  readonly children: Array<MathElement>
  text: string
}

const maxDepth = 40
const maxLength = 20_000

export const toLatex = (formula: MathElement): string => {
  if (depthOf(formula) > maxDepth) return FormulaText.text(textIn(formula))
  const latex = childrenLatex(formula).trim()
  return latex.length > maxLength ? FormulaText.text(textIn(formula).slice(0, maxLength)) : latex
}

/** Returns the depth of a tree, up to one level more than the maximum. */
const depthOf = (root: MathElement): number => {
  let level: ReadonlyArray<MathElement> = [root]
  let depth = 0
  for (; level.length > 0 && depth <= maxDepth; depth++) level = level.flatMap(({ children }) => children)
  return depth
}

const textIn = (root: MathElement): string => {
  let content = ""
  const pendingElements = [root]
  for (let next = pendingElements.pop(); next !== undefined; next = pendingElements.pop()) {
    content += next.text
    for (let i = next.children.length - 1; i >= 0; i--) pendingElements.push(next.children[i]!)
  }
  return content
}

// Formulas are at most 40 levels deep, so recursion is bounded.
const childrenLatex = ({ children }: MathElement): string => joined(children.map(elementLatex))

/** Joins pieces of LaTeX. A space separates a command that ends in a letter from a following letter. */
const joined = (pieces: ReadonlyArray<string>): string => {
  const out: Array<string> = []
  let previousEnd = ""
  for (const piece of pieces) {
    if (piece === "") continue
    out.push(/\\[A-Za-z]+$/.test(previousEnd) && /^[A-Za-z]/.test(piece) ? ` ${piece}` : piece)
    previousEnd = piece.slice(-30)
  }
  return out.join("")
}

const elementLatex = (element: MathElement): string =>
  (Object.hasOwn(writers, element.name) ? writers[element.name]! : childrenLatex)(element)

const child = (element: MathElement, name: string): MathElement | undefined =>
  element.children.find((candidate) => candidate.name === name)

const part = (element: MathElement, name: string): string => {
  const partElement = child(element, name)
  return partElement === undefined ? "" : childrenLatex(partElement).trim()
}

const braced = (element: MathElement, name: string): string => `{${part(element, name)}}`

/** Returns a property of an element. Undefined if it is missing. */
const property = (element: MathElement, name: string): string | undefined => {
  const properties = child(element, `${element.name}Pr`)
  const propertyElement = properties && child(properties, name)
  return propertyElement && (propertyElement.value ?? "")
}

/** True if a property is present and not turned off. */
const isOn = (element: MathElement, name: string): boolean => {
  const value = property(element, name)
  return value !== undefined && !/^(?:0|off|false)$/i.test(value)
}

const parts = (element: MathElement, name: string): ReadonlyArray<MathElement> =>
  element.children.filter((candidate) => candidate.name === name)

/** Returns the base of subscripts and superscripts. A base of several symbols is put in braces. */
const base = (element: MathElement): string => {
  const latex = part(element, "e")
  return /^(?:.|\\[A-Za-z]+|\\[a-z]+\{[^{}]*\})$/u.test(latex) ? latex : `{${latex}}`
}

const run = (element: MathElement): string => {
  const value = parts(element, "t")
    .map(({ text }) => text)
    .join("")
  const properties = child(element, "rPr")
  const styleProperty = (name: string) => properties && child(properties, name)
  if (styleProperty("nor") !== undefined) return `\\text{${FormulaText.inText(value)}}`
  return FormulaText.styled(value, styleProperty("sty")?.value, styleProperty("scr")?.value)
}

const nary = (element: MathElement): string => {
  const sign = FormulaText.operator(property(element, "chr") ?? "∫")
  const limits = property(element, "limLoc")
  const limitPlacement = limits === undefined || /^\\i+nt$|^\\oint$/.test(sign) === (limits === "subSup") ? "" : limits
  const command = limitPlacement === "undOvr" ? "\\limits" : limitPlacement === "subSup" ? "\\nolimits" : ""
  const sub = isOn(element, "subHide") ? "" : part(element, "sub")
  const sup = isOn(element, "supHide") ? "" : part(element, "sup")
  return `${sign}${command}${sub && `_{${sub}}`}${sup && `^{${sup}}`} ${part(element, "e")}`
}

const delimited = (element: MathElement): string => {
  const [opening, closing] = (["begChr", "endChr"] as const).map((name, i) =>
    FormulaText.delimiter(property(element, name) ?? "()"[i]!)
  )
  const separator = property(element, "sepChr") ?? "|"
  const separatorLatex = separator === "" ? "" : ` \\middle${FormulaText.delimiter(separator)} `
  return `\\left${opening} ${parts(element, "e")
    .map((operand) => childrenLatex(operand).trim())
    .join(separatorLatex)} \\right${closing}`
}

const rows = (lines: ReadonlyArray<string>, environment: string): string =>
  `\\begin{${environment}} ${lines.join(" \\\\ ")} \\end{${environment}}`

const matrix = (element: MathElement): string =>
  rows(
    parts(element, "mr").map((row) =>
      parts(row, "e")
        .map((cell) => childrenLatex(cell).trim())
        .join(" & ")
    ),
    "matrix"
  )

const applied = (element: MathElement): string => {
  const name = child(element, "fName")
  return `${name === undefined ? "" : functionName(name)} ${braced(element, "e")}`
}

/** Returns the LaTeX of a function name: a known name as its command, with limits and scripts. */
const functionName = (name: MathElement): string => {
  const [nameElement, ...rest] = name.children.filter((candidate) => !candidate.name.endsWith("Pr"))
  if (nameElement === undefined || rest.length > 0) return childrenLatex(name)
  if (nameElement.name === "r")
    return FormulaText.functionName(
      parts(nameElement, "t")
        .map(({ text }) => text)
        .join("")
    )
  const inner = child(nameElement, "e")
  if (inner === undefined) return elementLatex(nameElement)
  const scripts = ["sub", "lim"].map((part) => child(nameElement, part)).find((part) => part !== undefined)
  const superscript = child(nameElement, "sup")
  const subscript = scripts === undefined ? "" : `_{${childrenLatex(scripts).trim()}}`
  return nameElement.name.startsWith("s") || nameElement.name === "limLow"
    ? `${functionName(inner)}${subscript}${superscript === undefined ? "" : `^{${childrenLatex(superscript).trim()}}`}`
    : elementLatex(nameElement)
}

const radical = (element: MathElement): string => {
  const degree = isOn(element, "degHide") ? "" : part(element, "deg")
  return `\\sqrt${degree && `[${degree}]`}${braced(element, "e")}`
}

const fraction = (element: MathElement): string => {
  const [numerator, denominator] = [part(element, "num"), part(element, "den")]
  switch (property(element, "type")) {
    case "lin":
    case "skw":
      return `{${numerator}}/{${denominator}}`
    case "noBar":
      return `\\genfrac{}{}{0pt}{}{${numerator}}{${denominator}}`
    default:
      return `\\frac{${numerator}}{${denominator}}`
  }
}

const grouped = (element: MathElement): string => {
  const isBelow = property(element, "pos") !== "top"
  const command = FormulaText.brace(property(element, "chr") ?? "⏟", isBelow)
  return `${command}${braced(element, "e")}`
}

/** Returns the LaTeX of a base with a limit below or above it. A limit may also be a brace or an accent. */
const limited = (element: MathElement, script: "_" | "^"): string => {
  const [inner, limit] = [part(element, "e"), part(element, "lim")]
  if (script === "_" && limit === "⏟") return `\\underbrace{${inner}}`
  if (script === "^" && limit === "⏞") return `\\overbrace{${inner}}`
  if (script === "^" && FormulaText.isAccent(limit)) return `${FormulaText.accent(limit)}{${inner}}`
  if (FormulaText.hasLimits(inner)) return `${inner}${script}{${limit}}`
  return `\\${script === "_" ? "underset" : "overset"}{${limit}}{${inner}}`
}

const ignored = (): string => ""

const writers: { readonly [name: string]: (element: MathElement) => string } = {
  r: run,
  t: ({ text }) => FormulaText.text(text),
  f: fraction,
  sSup: (element) => `${base(element)}^${braced(element, "sup")}`,
  sSub: (element) => `${base(element)}_${braced(element, "sub")}`,
  sSubSup: (element) => `${base(element)}_${braced(element, "sub")}^${braced(element, "sup")}`,
  sPre: (element) => `{}_${braced(element, "sub")}^${braced(element, "sup")}${base(element)}`,
  rad: radical,
  nary,
  d: delimited,
  m: matrix,
  eqArr: (element) =>
    rows(
      parts(element, "e").map((line) => childrenLatex(line).trim().replaceAll("\\&", "&")),
      "aligned"
    ),
  func: applied,
  limLow: (element) => limited(element, "_"),
  limUpp: (element) => limited(element, "^"),
  acc: (element) => `${FormulaText.accent(property(element, "chr") ?? "\u0302")}${braced(element, "e")}`,
  bar: (element) => `\\${property(element, "pos") === "top" ? "overline" : "underline"}${braced(element, "e")}`,
  groupChr: grouped,
  borderBox: (element) => `\\boxed${braced(element, "e")}`,
  phant: (element) => (property(element, "show") === "0" ? `\\phantom${braced(element, "e")}` : part(element, "e")),
  rPr: ignored,
  ctrlPr: ignored
}
