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
  const latex = all(formula).trim()
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
  let found = ""
  const open = [root]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found += next.text
    for (let i = next.children.length - 1; i >= 0; i--) open.push(next.children[i]!)
  }
  return found
}

// Formulas are at most 40 levels deep, so recursion is bounded.
const all = ({ children }: MathElement): string => joined(children.map(one))

/** Joins pieces of LaTeX. A space separates a command that ends in a letter from a following letter. */
const joined = (pieces: ReadonlyArray<string>): string => {
  const out: Array<string> = []
  let last = ""
  for (const piece of pieces) {
    if (piece === "") continue
    out.push(/\\[A-Za-z]+$/.test(last) && /^[A-Za-z]/.test(piece) ? ` ${piece}` : piece)
    last = piece.slice(-30)
  }
  return out.join("")
}

const one = (element: MathElement): string =>
  (Object.hasOwn(writers, element.name) ? writers[element.name]! : all)(element)

const child = (element: MathElement, name: string): MathElement | undefined =>
  element.children.find((one) => one.name === name)

const part = (element: MathElement, name: string): string => {
  const found = child(element, name)
  return found === undefined ? "" : all(found).trim()
}

const braced = (element: MathElement, name: string): string => `{${part(element, name)}}`

/** Returns a property of an element. Undefined if it is missing. */
const property = (element: MathElement, name: string): string | undefined => {
  const found = child(element, `${element.name}Pr`)
  const own = found && child(found, name)
  return own && (own.value ?? "")
}

/** True if a property is present and not turned off. */
const isOn = (element: MathElement, name: string): boolean => {
  const value = property(element, name)
  return value !== undefined && !/^(?:0|off|false)$/i.test(value)
}

const parts = (element: MathElement, name: string): ReadonlyArray<MathElement> =>
  element.children.filter((one) => one.name === name)

/** Returns the base of subscripts and superscripts. A base of several symbols is put in braces. */
const base = (element: MathElement): string => {
  const written = part(element, "e")
  return /^(?:.|\\[A-Za-z]+|\\[a-z]+\{[^{}]*\})$/u.test(written) ? written : `{${written}}`
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
  const place = limits === undefined || /^\\i+nt$|^\\oint$/.test(sign) === (limits === "subSup") ? "" : limits
  const command = place === "undOvr" ? "\\limits" : place === "subSup" ? "\\nolimits" : ""
  const sub = isOn(element, "subHide") ? "" : part(element, "sub")
  const sup = isOn(element, "supHide") ? "" : part(element, "sup")
  return `${sign}${command}${sub && `_{${sub}}`}${sup && `^{${sup}}`} ${part(element, "e")}`
}

const delimited = (element: MathElement): string => {
  const [open, close] = (["begChr", "endChr"] as const).map((name, i) =>
    FormulaText.delimiter(property(element, name) ?? "()"[i]!)
  )
  const separator = property(element, "sepChr") ?? "|"
  const middle = separator === "" ? "" : ` \\middle${FormulaText.delimiter(separator)} `
  return `\\left${open} ${parts(element, "e")
    .map((one) => all(one).trim())
    .join(middle)} \\right${close}`
}

const rows = (lines: ReadonlyArray<string>, environment: string): string =>
  `\\begin{${environment}} ${lines.join(" \\\\ ")} \\end{${environment}}`

const matrix = (element: MathElement): string =>
  rows(
    parts(element, "mr").map((row) =>
      parts(row, "e")
        .map((cell) => all(cell).trim())
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
  const [only, ...rest] = name.children.filter((one) => !one.name.endsWith("Pr"))
  if (only === undefined || rest.length > 0) return all(name)
  if (only.name === "r")
    return FormulaText.functionName(
      parts(only, "t")
        .map(({ text }) => text)
        .join("")
    )
  const inner = child(only, "e")
  if (inner === undefined) return one(only)
  const scripts = ["sub", "lim"].map((part) => child(only, part)).find((part) => part !== undefined)
  const above = child(only, "sup")
  const below = scripts === undefined ? "" : `_{${all(scripts).trim()}}`
  return only.name.startsWith("s") || only.name === "limLow"
    ? `${functionName(inner)}${below}${above === undefined ? "" : `^{${all(above).trim()}}`}`
    : one(only)
}

const radical = (element: MathElement): string => {
  const degree = isOn(element, "degHide") ? "" : part(element, "deg")
  return `\\sqrt${degree && `[${degree}]`}${braced(element, "e")}`
}

const fraction = (element: MathElement): string => {
  const [above, below] = [part(element, "num"), part(element, "den")]
  switch (property(element, "type")) {
    case "lin":
    case "skw":
      return `{${above}}/{${below}}`
    case "noBar":
      return `\\genfrac{}{}{0pt}{}{${above}}{${below}}`
    default:
      return `\\frac{${above}}{${below}}`
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
      parts(element, "e").map((line) => all(line).trim().replaceAll("\\&", "&")),
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
