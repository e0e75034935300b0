/** Text and symbols of formulas in LaTeX: escaped characters, letters by their style, and names of commands. */

const symbolsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/\s+/)
      .map((escapedPair) => [escapedPair[0]!, escapedPair.slice(1)] as const)
  )

const greekLetters = symbolsOf(
  `αalpha βbeta γgamma δdelta εvarepsilon ϵepsilon ζzeta ηeta θtheta ϑvartheta ιiota κkappa λlambda μmu νnu ξxi πpi
  ϖvarpi ρrho ϱvarrho σsigma ςvarsigma τtau υupsilon φvarphi ϕphi χchi ψpsi ωomega ΓGamma ΔDelta ΘTheta ΛLambda ΞXi
  ΠPi ΣSigma ΥUpsilon ΦPhi ΨPsi ΩOmega ∂partial ∇nabla ∞infty ℏhbar ℓell ℜRe ℑIm ℵaleph ∅emptyset ∀forall ∃exists
  ¬neg ∠angle ′prime ×times ÷div ·cdot ⋅cdot ∙cdot ∗ast ∘circ ±pm ∓mp ≤leq ≥geq ≠neq ≈approx ≡equiv ∼sim ≃simeq ≅cong
  ∝propto ≪ll ≫gg ∈in ∉notin ∋ni ⊂subset ⊃supset ⊆subseteq ⊇supseteq ∪cup ∩cap ∖setminus ∧wedge ∨vee ⊕oplus ⊗otimes
  ⊥perp ∥parallel →to ←leftarrow ↔leftrightarrow ⇒Rightarrow ⇐Leftarrow ⇔Leftrightarrow ↦mapsto ↑uparrow ↓downarrow
  …ldots ⋯cdots ⋮vdots ⋱ddots ∑sum ∏prod ∐coprod ∫int ∬iint ∭iiint ∮oint ⋃bigcup ⋂bigcap ⋁bigvee ⋀bigwedge ⨁bigoplus
  ⨂bigotimes √surd ⟨langle ⟩rangle ⌈lceil ⌉rceil ⌊lfloor ⌋rfloor ‖|`
)

const escapes: { readonly [character: string]: string } = {
  "\\": "\\backslash ",
  "{": "\\{",
  "}": "\\}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  "%": "\\%",
  "^": "\\hat{}",
  _: "\\_",
  "~": "\\sim ",
  "\u2212": "-",
  "\u2061": "",
  "\u2062": "",
  "\u00a0": "~"
}

/** Returns a character of a formula. Letters of the mathematical alphabets become plain letters. */
const characterOf = (character: string): string => {
  const plainCharacter = /[\u{1d400}-\u{1d7ff}]/u.test(character) ? character.normalize("NFKC") : character
  if (Object.hasOwn(escapes, plainCharacter)) return escapes[plainCharacter]!
  const name = greekLetters.get(plainCharacter)
  return name === undefined ? plainCharacter : name === "|" ? "\\|" : `\\${name} `
}

/** Returns text as symbols of a formula. */
export const text = (value: string): string =>
  Array.from(value.replace(/[\p{Cc}\s]+/gu, " "), characterOf)
    .join("")
    .trim()

/** Returns text for the inside of `\text{}`. */
export const inText = (value: string): string =>
  value.replace(/[\p{Cc}\s]+/gu, " ").replace(/[\\{}$&#%^_~]/g, (character) => inTextOf[character] ?? `\\${character}`)

const inTextOf: { readonly [character: string]: string } = {
  "\\": "\\textbackslash{}",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}"
}

const scripts: { readonly [name: string]: string } = {
  "double-struck": "mathbb",
  script: "mathcal",
  fraktur: "mathfrak",
  "sans-serif": "mathsf",
  monospace: "mathtt"
}
const styles: { readonly [name: string]: string } = { p: "mathrm", b: "mathbf", bi: "boldsymbol" }

/** Returns a run with its alphabet and style. Symbols without letters need no style. */
export const styled = (value: string, style: string | undefined, script: string | undefined): string => {
  const formulaText = text(value)
  if (!/\p{L}/u.test(value)) return formulaText
  if (style === "p" && script === undefined && functions.has(formulaText)) return `\\${formulaText}`
  const commands = [
    style !== undefined && Object.hasOwn(styles, style) ? styles[style] : undefined,
    script !== undefined && Object.hasOwn(scripts, script) ? scripts[script] : undefined
  ].filter((command) => command !== undefined)
  return commands.reduceRight((inner, command) => `\\${command}{${inner}}`, formulaText)
}

export const operator = (sign: string): string => (sign === "" ? "" : text(sign))

const brackets: { readonly [sign: string]: string } = { "": ".", "〈": "\\langle", "〉": "\\rangle", "|": "|" }

/** Returns a delimiter for `\left` and `\right`, or a dot if the sign is empty or unknown. */
export const delimiter = (sign: string): string =>
  Object.hasOwn(brackets, sign)
    ? brackets[sign]!
    : /^[()[\]/|<>]$/.test(sign)
      ? sign
      : /^[{}]$/.test(sign)
        ? `\\${sign}`
        : mappedSymbol(sign)

const mappedSymbol = (sign: string): string => {
  const name = greekLetters.get(sign)
  return name === undefined ? "." : name === "|" ? "\\|" : `\\${name}`
}

const accents: { readonly [sign: string]: string } = {
  "\u0300": "grave",
  "\u0301": "acute",
  "\u0302": "hat",
  "\u0303": "tilde",
  "\u0304": "bar",
  "\u0305": "overline",
  "\u0306": "breve",
  "\u0307": "dot",
  "\u0308": "ddot",
  "\u030c": "check",
  "\u20d1": "overrightarrow",
  "\u20d6": "overleftarrow",
  "\u20d7": "vec",
  "\u20db": "dddot",
  "\u20e1": "overleftrightarrow",
  "^": "hat",
  "~": "tilde",
  "¯": "bar",
  "˙": "dot",
  "→": "vec"
}

export const isAccent = (sign: string): boolean => Object.hasOwn(accents, sign)

export const accent = (sign: string): string => `\\${Object.hasOwn(accents, sign) ? accents[sign] : "hat"}`

export const brace = (sign: string, isBelow: boolean): string => {
  if (sign === "→" || sign === "⇒") return isBelow ? "\\underrightarrow" : "\\overrightarrow"
  if (sign === "←") return isBelow ? "\\underleftarrow" : "\\overleftarrow"
  return isBelow ? "\\underbrace" : "\\overbrace"
}

/** True for a command that takes limits below or above it. */
export const hasLimits = (latex: string): boolean =>
  /^\\(?:det|gcd|inf|lim|liminf|limsup|max|min|Pr|sup|underbrace\{.*\}|overbrace\{.*\})$/.test(latex)

const functions = new Set(
  "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh".split(
    " "
  )
)

export const functionName = (name: string): string => {
  const functionLabel = name.trim()
  return functions.has(functionLabel) ? `\\${functionLabel}` : `\\operatorname{${text(functionLabel)}}`
}
