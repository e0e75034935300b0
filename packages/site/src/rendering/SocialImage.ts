/**
 * Preview picture of a page for links on social media, as plain values: texts and colors. A painter renders it (see
 * `SnippetRenderer`). Equal values mean equal pictures.
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

const HexColor = Schema.String.check(Schema.isPattern(/^#[\da-f]{6}$/i))

export const SocialImage = Schema.Struct({
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
  ground: HexColor,
  ink: HexColor,
  muted: HexColor,
  fill: HexColor,
  onFill: HexColor
})
export type SocialImage = typeof SocialImage.Type

type ImageColors = Pick<SocialImage, "ground" | "ink" | "muted" | "fill" | "onFill">

const colorCache = new WeakMap<Customization, ImageColors>()

/** Returns the colors of a site's pictures, cached by customization. */
const colorsOf = (customization: Customization): ImageColors => {
  const cached = colorCache.get(customization)
  if (cached !== undefined) return cached
  const all = Palette.paletteOf(customization, modeOf(customization))
  const color = (name: string) => all[name]!.slice(0, 7)
  const result = {
    ground: color("ground"),
    ink: color("ink"),
    muted: color("muted"),
    fill: color("primary-fill"),
    onFill: color("on-primary")
  }
  colorCache.set(customization, result)
  return result
}

const modeOf = ({ themes }: Customization) => (themes.default === "dark" ? "dark" : "light")

export const socialImageOf = (sitePage: SitePage, name: string, description: string): SocialImage => {
  const { page, customization, dependencies } = sitePage
  const site = lineOf(name, 80)
  const logo = customization.header.logo && SafeUrls.sourceUrl(customization.header.logo[modeOf(customization)])
  return {
    site,
    title: lineOf(page.title, 200),
    description: lineOf(description, 300),
    ...(logo !== undefined && /^https?:/.test(logo) && { logo }),
    sign: customization.favicon.emoji ?? firstLetter(site),
    language: page.language ?? dependencies.messages.language,
    direction: directionOf(page.title),
    ...colorsOf(customization)
  }
}

/** Matches text in which each letter is one character, without consecutive spaces. */
const plainPattern = /^(?:[!-~¿-ɏ’“”–—…]+ )*[!-~¿-ɏ’“”–—…]+$/

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" })

/** Returns a text on one line, cut between graphemes. */
const lineOf = (text: string, max: number): string => {
  if (text.length <= max && plainPattern.test(text)) return text
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

const letterPattern = /[\p{L}]/u
const rightToLeftPattern = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

/** Returns the direction of the first letter, as in `dir="auto"`. */
const directionOf = (text: string): "ltr" | "rtl" =>
  rightToLeftPattern.test(letterPattern.exec(text)?.[0] ?? "") ? "rtl" : "ltr"
