/**
 * The picture of a page where a link to it is shown, as plain values: what stands in it, and its colours. A painter
 * draws it (see `Painter`); equal values are one picture.
 *
 * Limits: titles of 200 characters, descriptions of 300, names of sites of 80. What is longer is cut.
 */
import type { Customization } from "@lectern/core/customization/Customization"
import { Schema } from "effect"
import * as Urls from "../html/Urls.ts"
import * as Palette from "../look/Palette.ts"
import type { SitePage } from "../page/SitePage.ts"

/** Pixels. */
export const size = { width: 1200, height: 630 } as const

const Colour = Schema.String.check(Schema.isPattern(/^#[\da-f]{6}$/i))

export const SocialPicture = Schema.Struct({
  site: Schema.String,
  title: Schema.String,
  description: Schema.String,
  /** URL of the logo, which stands for the sign and the site's name where it can be had. */
  logo: Schema.optionalKey(Schema.String),
  /** An emoji, or the first letter of the site's name. */
  sign: Schema.String,
  /** BCP 47. */
  language: Schema.String,
  direction: Schema.Literals(["ltr", "rtl"]),
  ground: Colour,
  ink: Colour,
  muted: Colour,
  fill: Colour,
  onFill: Colour
})
export type SocialPicture = typeof SocialPicture.Type

type Colours = Pick<SocialPicture, "ground" | "ink" | "muted" | "fill" | "onFill">

const colours = new WeakMap<Customization, Colours>()

/** All pages of a site have the same. */
const coloursOf = (customization: Customization): Colours => {
  const known = colours.get(customization)
  if (known !== undefined) return known
  const all = Palette.of(customization, modeOf(customization))
  const colour = (name: string) => all[name]!.slice(0, 7)
  const made = {
    ground: colour("ground"),
    ink: colour("ink"),
    muted: colour("muted"),
    fill: colour("primary-fill"),
    onFill: colour("on-primary")
  }
  colours.set(customization, made)
  return made
}

const modeOf = ({ themes }: Customization) => (themes.default === "dark" ? "dark" : "light")

export const of = (shown: SitePage, name: string, description: string): SocialPicture => {
  const { page, customization, parts } = shown
  const site = lineOf(name, 80)
  const logo = customization.header.logo && Urls.source(customization.header.logo[modeOf(customization)])
  return {
    site,
    title: lineOf(page.title, 200),
    description: lineOf(description, 300),
    ...(logo !== undefined && /^https?:/.test(logo) && { logo }),
    sign: customization.favicon.emoji ?? firstLetter(site),
    language: page.language ?? parts.words.language,
    direction: directionOf(page.title),
    ...coloursOf(customization)
  }
}

/** Each letter of it is a character, and no two spaces follow each other. */
const isPlain = /^(?:[!-~¿-ɏ’“”–—…]+ )*[!-~¿-ɏ’“”–—…]+$/

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" })

/** On one line, cut between characters as people see them. */
const lineOf = (text: string, max: number): string => {
  if (text.length <= max && isPlain.test(text)) return text
  // A character may be of many code points: what is far beyond is not looked at.
  const line = text
    .slice(0, max * 20)
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ")
    // Marks that are heaped on a letter would stand all over the picture.
    .replace(/(\p{Mn}{3})\p{Mn}+/gu, "$1")
    .trim()
  const parts: Array<string> = []
  for (const { segment } of graphemes.segment(line)) {
    if (parts.length > max) break
    parts.push(segment.length > 40 ? segment.slice(0, 1).toWellFormed() : segment)
  }
  return parts.length > max
    ? `${parts
        .slice(0, max - 1)
        .join("")
        .trimEnd()}…`
    : parts.join("")
}

const firstLetter = (name: string): string => (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? "").toUpperCase()

const strong = /[\p{L}]/u
const fromRight = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

/** By the first letter, as `dir=auto` has it. */
const directionOf = (text: string): "ltr" | "rtl" => (fromRight.test(strong.exec(text)?.[0] ?? "") ? "rtl" : "ltr")
