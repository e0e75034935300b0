/** Text as URLs write it, where characters that they have no room for are `%` and bytes of UTF-8. */

/** The text that is written so; as it stands where a `%` begins no such bytes. */
export const decoded = (text: string): string => {
  if (!text.includes("%")) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
