/**
 * Escapes characters beyond ASCII as `\u…`, because V8 stores a text with one such character with two bytes for each
 * character. The escapes are valid in strings, templates and regular expressions. Code without comments has such
 * characters only there.
 */
export const inAscii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
