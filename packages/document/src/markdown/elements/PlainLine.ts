/** Text of an attribute as one line of Markdown. */
export const escapeLine = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<>|$~]/g, "\\$&")
