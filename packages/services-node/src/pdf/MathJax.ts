/** MathJax, loaded with the first formula. Renders TeX as SVG, and converts it to MathML. */

export interface SvgNode {
  readonly kind: string
  readonly attributes: { readonly [name: string]: string | undefined }
  readonly children?: ReadonlyArray<SvgNode>
  /** Content of a text node. */
  readonly value?: string
}

interface MathJax {
  readonly tex2svgPromise: (tex: string, options: { readonly display: boolean }) => Promise<SvgNode>
  readonly tex2mmlPromise: (tex: string, options: { readonly display: boolean }) => Promise<string>
}

/** TeX packages for formulas, in addition to `base`. */
const extensions = ["ams", "newcommand", "color", "cancel", "boldsymbol"]

const maxMacros = 1_000

let cachedMathJax: Promise<MathJax> | undefined

export const loadMathJax = (): Promise<MathJax> => (cachedMathJax ??= load())

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

/**
 * Moves the tag of a formula into the formula. MathJax would align a tag with the edge of a page, and a single formula
 * has no page.
 */
export const numbered = (tex: string): string =>
  tex
    .replace(/\\tag\*\{([^{}]*)\}/g, String.raw`\qquad\text{$1}`)
    .replace(/\\tag\{([^{}]*)\}/g, String.raw`\qquad\text{($1)}`)
