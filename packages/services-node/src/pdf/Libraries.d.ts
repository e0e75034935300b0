/** Types of the libraries that come without any, as far as they are used. */

declare module "linebreak" {
  /** The places where a line of a text may end, one after another, by Unicode's rules. */
  export default class LineBreaker {
    constructor(text: string)
    nextBreak(): { readonly position: number; readonly required?: boolean } | null
  }
}

declare module "bidi-js" {
  interface EmbeddingLevels {
    readonly levels: Uint8Array
    readonly paragraphs: ReadonlyArray<{ readonly start: number; readonly end: number; readonly level: number }>
  }
  interface Bidi {
    getEmbeddingLevels(text: string, direction?: "ltr" | "rtl" | "auto"): EmbeddingLevels
    getMirroredCharacter(character: string): string | null
  }
  export default function make(): Bidi
}

declare module "subset-font" {
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      readonly targetFormat: "truetype"
      readonly variationAxes?: { readonly [axis: string]: number }
    }
  ): Promise<Uint8Array>
}

declare module "mathjax" {
  const mathjax: {
    /** Loads what is named, and tells what it offers. */
    init(options: object): Promise<any>
  }
  export default mathjax
}
