/**
 * Creates file names that are valid in all file systems: without reserved characters and names, without dots or spaces
 * at the ends, and not ignored by imports. Default: at most 80 bytes.
 */

const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]|node_modules)(?:\.|$)/i

const encoder = new TextEncoder()

const byteLength = (text: string): number => encoder.encode(text).length

export const make = (name: string, maxBytes = 80): string => {
  const cleanName = name
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\s\p{C}<>:"/\\|?*]/gu, "-")
    .replace(/^[.-]+/u, "")
  const shortName = trimEnd(truncateBytes(cleanName, maxBytes))
  if (shortName === "") return "page"
  return reserved.test(shortName) ? `_${shortName}` : shortName
}

/** Returns a safe name for a file, and keeps its extension. */
export const forFile = (name: string): string => {
  const extension = /\.[\p{L}\p{N}]{1,16}$/u.exec(name)?.[0] ?? ""
  return make(name.slice(0, name.length - extension.length)) + extension
}

const trimEnd = (name: string): string => {
  let end = name.length
  while (end > 0 && (name[end - 1] === "." || name[end - 1] === "-")) end--
  return name.slice(0, end)
}

const truncateBytes = (name: string, maxBytes: number): string => {
  let bytes = 0
  let result = ""
  for (const character of name) {
    bytes += byteLength(character)
    if (bytes > maxBytes) break
    result += character
  }
  return result
}
