/** Types of libraries without types, limited to the used parts. */

declare module "linebreak" {
  /** Iterates over the positions in a text at which a line may end, by the Unicode line breaking algorithm. */
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
    /** Loads the named components and returns their functions. */
    init(options: object): Promise<any>
  }
  export default mathjax
}
