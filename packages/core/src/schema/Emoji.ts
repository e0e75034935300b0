/**
 * An emoji: the character itself, or its code points in hex (`1f44d`, `1f468-200d-1f4bb`).
 *
 * Limit: 50 characters.
 */
import { Schema } from "effect"
import * as Text from "./Text.ts"

const isEmoji = (text: string): boolean => /^\p{RGI_Emoji}$/v.test(text)

/** Returns the character of an emoji. Undefined if the text is not an emoji. */
export const characterOf = (emoji: string): string | undefined => {
  if (isEmoji(emoji)) return emoji
  const character = fromHex(emoji) ?? emoji
  return [character, withVariationSelector(character)].find(isEmoji)
}

const fromHex = (text: string): string | undefined => {
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(text)) return undefined
  const codePoints = text.split("-").map((point) => Number.parseInt(point, 16))
  return codePoints.some((point) => point > 0x10ffff) ? undefined : String.fromCodePoint(...codePoints)
}

/** Adds the variation selector U+FE0F to symbols with emoji presentation, since it is often omitted. */
const withVariationSelector = (character: string): string =>
  character
    .replaceAll("\ufe0f", "")
    .replace(/(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu, (symbol) => `${symbol}\ufe0f`)

/** An emoji. An empty text means none. */
export const Emoji = Text.atMost(50).check(
  Schema.makeFilter((text: string) =>
    text === "" || characterOf(text) !== undefined
      ? undefined
      : "Expected an emoji, as itself or by its code points in hex"
  )
)
