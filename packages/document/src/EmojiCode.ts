/** The characters of an emoji by its code (see `markdown/Emoji` for names). */

/** Returns the characters of an emoji; the code itself if it is invalid. */
export const emojiCharacters = (code: string): string => {
  const points = code.split("-").map((point) => (/^[0-9a-f]{1,6}$/i.test(point) ? Number.parseInt(point, 16) : -1))
  return points.every((point) => point >= 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff))
    ? String.fromCodePoint(...points)
    : code
}
