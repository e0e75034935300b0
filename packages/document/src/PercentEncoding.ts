/** Percent encoding of URLs: `%` and hexadecimal digits stand for bytes of UTF-8. */

/** Decodes a text. Returns it unchanged if the encoding is invalid. */
export const decodePercent = (text: string): string => {
  if (!text.includes("%")) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
