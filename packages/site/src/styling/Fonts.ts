/**
 * Fonts of a site. A font that settings name loads from the site, only in the character ranges that a page uses. A custom
 * font loads from the URLs of its files. Code has the system's font by default, which loads no file.
 */
import type { Customization } from "@lectern/core/customization/Customization"
import * as SafeUrls from "../html/SafeUrls.ts"

/** File of a font. */
export interface FontFace {
  /** File name. */
  readonly file: string
  /** CSS weight: one weight, or the range of a variable font. */
  readonly weight: string
  /** Characters of the file, as a CSS `unicode-range`. */
  readonly range: string
  readonly isItalic: boolean
  /** True if the file is preloaded: it has the basic Latin letters. */
  readonly isFirst: boolean
}

/** Files of the fonts that settings name, and their URLs. */
export interface LoadedFonts {
  readonly faces: Readonly<Record<string, ReadonlyArray<FontFace>>>
  readonly urlOf: (file: string) => string
}

type Font = Customization["styling"]["font"] | Customization["styling"]["monospaceFont"]

const fallbackFamilies = {
  text: `ui-sans-serif,system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif`,
  code: `ui-monospace,SFMono-Regular,Menlo,Consolas,"Noto Sans Mono",monospace`
} as const

/** CSS family names by the font name in settings; "" for the system's font. */
export const families: Readonly<Record<Extract<Font, string>, string>> = {
  ABCFavorit: "ABC Favorit",
  Inter: "Inter",
  Roboto: "Roboto",
  RobotoSlab: "Roboto Slab",
  OpenSans: "Open Sans",
  SourceSansPro: "Source Sans 3",
  Lato: "Lato",
  Ubuntu: "Ubuntu",
  Raleway: "Raleway",
  Merriweather: "Merriweather",
  Overpass: "Overpass",
  NotoSans: "Noto Sans",
  IBMPlexSerif: "IBM Plex Serif",
  Poppins: "Poppins",
  FiraSans: "Fira Sans",
  FiraCode: "",
  IBMPlexMono: "IBM Plex Mono",
  JetBrainsMono: "JetBrains Mono",
  SourceCodePro: "Source Code Pro",
  RobotoMono: "Roboto Mono",
  SpaceMono: "Space Mono",
  DMMono: "DM Mono",
  Inconsolata: "Inconsolata"
}

/** Font that is shown until the default font is loaded, in the same size, so that text does not move. */
const preliminaryFamily = "Inter Preliminary"
const preliminaryRule = `@font-face{font-family:"${preliminaryFamily}";src:local("Arial"),local("Liberation Sans"),local("Roboto");size-adjust:107%;ascent-override:90%;descent-override:22.5%;line-gap-override:0%}`

const serifFonts: ReadonlySet<string> = new Set(["Merriweather", "IBMPlexSerif", "RobotoSlab"])

/** Returns a name as a CSS string. Characters that could end the string are removed. */
const quote = (name: string): string => `"${name.replace(/[^\p{L}\p{N} _-]/gu, "")}"`

/** Returns the value of `font-family`. */
export const fontFamily = (font: Font, use: keyof typeof fallbackFamilies): string => {
  const fallbackFamily = typeof font === "string" && serifFonts.has(font) ? "Georgia,serif" : fallbackFamilies[use]
  const name = typeof font === "string" ? families[font] : font.fontFamily
  if (name === "") return fallbackFamily
  return `${quote(name)},${font === "Inter" ? `${quote(preliminaryFamily)},` : ""}${fallbackFamily}`
}

const facesOf = (font: Font, loaded: LoadedFonts | undefined): ReadonlyArray<FontFace> =>
  typeof font === "string" ? (loaded?.faces[font] ?? []) : []

/** Returns the URLs of files to preload. */
export const preloadUrls = (font: Font, loaded: LoadedFonts | undefined): ReadonlyArray<string> =>
  facesOf(font, loaded)
    .filter(({ isFirst }) => isFirst)
    .map(({ file }) => loaded!.urlOf(file))

/** Returns the `@font-face` rules of a font. */
export const fontFaceRules = (font: Font, loaded?: LoadedFonts): string =>
  typeof font === "string"
    ? (font === "Inter" && loaded?.faces[font] !== undefined ? preliminaryRule : "") +
      facesOf(font, loaded)
        .map(
          ({ file, weight, range, isItalic }) =>
            `@font-face{font-family:${quote(families[font])};font-weight:${weight};${isItalic ? "font-style:italic;" : ""}font-display:swap;src:url("${loaded!.urlOf(file)}") format("woff2");unicode-range:${range}}`
        )
        .join("")
    : font.fontFaces
        .map(({ weight, sources }) => {
          const src = sources.flatMap(({ url, format }) => {
            const source = SafeUrls.sourceUrl(url)
            return source === undefined
              ? []
              : `url("${source.replace(/["\\<>\s]/g, encodeURIComponent)}")${format === undefined ? "" : ` format("${format}")`}`
          })
          return src.length === 0
            ? ""
            : `@font-face{font-family:${quote(font.fontFamily)};font-weight:${weight};font-display:swap;src:${src.join(",")}}`
        })
        .join("")
