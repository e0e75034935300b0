/**
 * Returns an emoji of a page or a space as a character. The API also has its code points in hex, such as
 * `1f468-200d-1f4bb`. Other texts are unchanged.
 */
export const emojiText = (emoji: string): string => {
  if (!/^[\da-f]{2,6}(?:-[\da-f]{2,6})*$/i.test(emoji)) return emoji
  const points = emoji.split("-").map((point) => Number.parseInt(point, 16))
  return points.some((point) => point > 0x10ffff) ? emoji : String.fromCodePoint(...points)
}
