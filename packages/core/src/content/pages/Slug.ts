/**
 * The segment of a path that a page answers to: derived from its title where nobody gave one, and
 * compared without regard to case.
 */

/** At most so many characters, the suffix that tells siblings apart included. */
const maxLength = 100

/** A slug in one form: equal for slugs that are the same for a reader of URLs. */
export const fold = (slug: string): string => slug.normalize("NFKC").toLowerCase()

/** Letters and digits of any script without case and diacritics, joined by hyphens. */
export const fromTitle = (title: string): string => {
  const folded = title
    .normalize("NFKD")
    .toLowerCase()
    // Marks of Latin, Greek and Cyrillic letters go; elsewhere (Thai, Hindi) they carry the word.
    .replace(/[\u0300-\u036f]+/gu, "")
    .normalize("NFC")
    .replace(/['’]+/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/gu, "")
  return cut(folded, maxLength).replace(/-+$/u, "") || "page"
}

/** The slug with a suffix that tells it from a sibling's, within the length a slug may have. */
export const withSuffix = (slug: string, n: number): string => {
  const suffix = `-${n}`
  return cut(slug, maxLength - suffix.length) + suffix
}

const cut = (text: string, max: number): string => (text.length <= max ? text : Array.from(text).slice(0, max).join(""))
