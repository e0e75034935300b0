/**
 * Fonts of a site. The one that is set to begin with is the system's own, so nothing is loaded; one that settings name
 * is loaded from beside the site, in the parts that a page has letters of; a font that a site brings along is loaded from
 * where its files are.
 */
import type { Customization } from "@lectern/core/customization/Customization"
import * as Urls from "../html/Urls.ts"

/** A file of a font. */
export interface FontFace {
  /** Name of the file. */
  readonly file: string
  /** As CSS has it: one weight, or the first and the last of an axis. */
  readonly weight: string
  /** Characters that it is loaded for, as CSS has them. */
  readonly range: string
  readonly isItalic: boolean
  /** Loaded before the style sheet asks for it: plain Latin letters. */
  readonly isFirst: boolean
}

/** Files of the fonts that settings name, and where they are. */
export interface Loaded {
  readonly faces: Readonly<Record<string, ReadonlyArray<FontFace>>>
  readonly urlOf: (file: string) => string
}

type Font = Customization["styling"]["font"] | Customization["styling"]["monospaceFont"]

const fallback = {
  text: `ui-sans-serif,system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif`,
  code: `ui-monospace,SFMono-Regular,Menlo,Consolas,"Noto Sans Mono",monospace`
} as const

/** Names of families, by the names that settings know them by. */
export const families: Readonly<Record<Extract<Font, string>, string>> = {
  ABCFavorit: "ABC Favorit",
  Inter: "",
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

const serifs: ReadonlySet<string> = new Set(["Merriweather", "IBMPlexSerif", "RobotoSlab"])

/** A name as a string of CSS: nothing in it ends the string. */
const quoted = (name: string): string => `"${name.replace(/[^\p{L}\p{N} _-]/gu, "")}"`

/** Value of `font-family`. */
export const family = (font: Font, use: keyof typeof fallback): string => {
  const behind = typeof font === "string" && serifs.has(font) ? "Georgia,serif" : fallback[use]
  const name = typeof font === "string" ? families[font] : font.fontFamily
  return name === "" ? behind : `${quoted(name)},${behind}`
}

const facesOf = (font: Font, loaded: Loaded | undefined): ReadonlyArray<FontFace> =>
  typeof font === "string" ? (loaded?.faces[font] ?? []) : []

/** URLs of files that are worth loading at once. */
export const first = (font: Font, loaded: Loaded | undefined): ReadonlyArray<string> =>
  facesOf(font, loaded)
    .filter(({ isFirst }) => isFirst)
    .map(({ file }) => loaded!.urlOf(file))

/** Rules that load what a font needs. */
export const faces = (font: Font, loaded?: Loaded): string =>
  typeof font === "string"
    ? facesOf(font, loaded)
        .map(
          ({ file, weight, range, isItalic }) =>
            `@font-face{font-family:${quoted(families[font])};font-weight:${weight};${isItalic ? "font-style:italic;" : ""}font-display:swap;src:url("${loaded!.urlOf(file)}") format("woff2");unicode-range:${range}}`
        )
        .join("")
    : font.fontFaces
        .map(({ weight, sources }) => {
          const src = sources.flatMap(({ url, format }) => {
            const source = Urls.source(url)
            return source === undefined
              ? []
              : `url("${source.replace(/["\\<>\s]/g, encodeURIComponent)}")${format === undefined ? "" : ` format("${format}")`}`
          })
          return src.length === 0
            ? ""
            : `@font-face{font-family:${quoted(font.fontFamily)};font-weight:${weight};font-display:swap;src:${src.join(",")}}`
        })
        .join("")
