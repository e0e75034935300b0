/**
 * Preview picture of a page for links on social media, as plain values: texts and colors. A painter renders it (see
 * `Painter`). Equal values mean equal pictures.
 *
 * Limits: titles of 200 characters, descriptions of 300, site names of 80. Longer texts are cut.
 */
import type { Customization } from "@lectern/core/customization/Customization"
import { Schema } from "effect"
import * as SafeUrls from "../html/SafeUrls.ts"
import * as Palette from "../styling/Palette.ts"
import type { SitePage } from "../page/SitePage.ts"

/** Size in pixels. */
export const size = { width: 1200, height: 630 } as const

const Colour = Schema.String.check(Schema.isPattern(/^#[\da-f]{6}$/i))

export const SocialPicture = Schema.Struct({
  site: Schema.String,
  title: Schema.String,
  description: Schema.String,
  /** URL of the logo. It replaces the sign and the site's name if it can be loaded. */
  logo: Schema.optionalKey(Schema.String),
  /** Emoji, or the first letter of the site's name. */
  sign: Schema.String,
  /** BCP 47 tag. */
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

/** Returns the colors of a site's pictures, cached by customization. */
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
  const logo = customization.header.logo && SafeUrls.source(customization.header.logo[modeOf(customization)])
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

/** Matches text in which each letter is one character, without consecutive spaces. */
const isPlain = /^(?:[!-~¿-ɏ’“”–—…]+ )*[!-~¿-ɏ’“”–—…]+$/

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" })

/** Returns a text on one line, cut between graphemes. */
const lineOf = (text: string, max: number): string => {
  if (text.length <= max && isPlain.test(text)) return text
  // A grapheme may have many code points. Text far beyond the limit is not processed.
  const line = text
    .slice(0, max * 20)
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ")
    // At most three combining marks of a letter stay, since more would cover the picture.
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

/** Returns the direction of the first letter, as in `dir="auto"`. */
const directionOf = (text: string): "ltr" | "rtl" => (fromRight.test(strong.exec(text)?.[0] ?? "") ? "rtl" : "ltr")
