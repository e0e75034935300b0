/** MathJax, loaded when the first formula is met: sets TeX as SVG, and writes MathML. */

export interface SvgNode {
  readonly kind: string
  readonly attributes: { readonly [name: string]: string | undefined }
  readonly children?: ReadonlyArray<SvgNode>
  /** Of text. */
  readonly value?: string
}

interface MathJax {
  readonly tex2svgPromise: (tex: string, options: { readonly display: boolean }) => Promise<SvgNode>
  readonly tex2mmlPromise: (tex: string, options: { readonly display: boolean }) => Promise<string>
}

/** Packages of TeX that formulas may use beyond its base. */
const extensions = ["ams", "newcommand", "color", "cancel", "boldsymbol"]

const maxMacros = 1_000

let loaded: Promise<MathJax> | undefined

export const loadMathJax = (): Promise<MathJax> => (loaded ??= load())

const load = async (): Promise<MathJax> => {
  const { default: library } = await import("mathjax")
  return library.init({
    loader: { load: ["input/tex-base", ...extensions.map((name) => `[tex]/${name}`), "output/svg"] },
    startup: { typeset: false },
    svg: { fontCache: "none", linebreaks: { inline: false }, displayOverflow: "overflow" },
    tex: {
      packages: ["base", ...extensions],
      maxMacros,
      maxBuffer: 5 * 1024,
      formatError: (_: unknown, error: unknown) => {
        throw error
      }
    }
  })
}

/** A number beside a formula goes to the edge of a page, which a formula by itself has none of. */
export const numbered = (tex: string): string =>
  tex
    .replace(/\\tag\*\{([^{}]*)\}/g, String.raw`\qquad\text{$1}`)
    .replace(/\\tag\{([^{}]*)\}/g, String.raw`\qquad\text{($1)}`)
