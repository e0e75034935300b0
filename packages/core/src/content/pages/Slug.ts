/**
 * The segment of a path that a page answers to: derived from its title, or from the name of its file, unless a caller
 * supplies one. It is compared without regard to case.
 */
import * as Text from "@lectern/document/Text"
import * as UrlText from "@lectern/document/UrlText"
import * as ServedNames from "../../site/ServedNames.ts"

/** At most so many characters, the suffix that tells siblings apart included. */
const maxLength = 100

/** A slug in one form: equal for slugs that are the same for a reader of URLs. */
export const fold = (slug: string): string => slug.normalize("NFKC").toLowerCase()

/** As the hosted service makes it of a title (see `UrlText`). */
export const fromTitle = (title: string): string => {
  const slug = ServedNames.avoided(UrlText.of(title).slice(0, maxLength).replace(/-$/, ""))
  return /^\.*$/.test(slug) ? "page" : slug
}

/**
 * Returns the name of a file or folder as a slug. A name that is a slug stays as it is. In any other name letters, case
 * and script stay, `&` becomes `and`, and other signs become hyphens, as in slugs made of titles. So all names of a
 * folder give slugs of one style, and each slug depends on its own name only.
 */
export const fromName = (name: string): string => {
  const isWhole = !invalid.test(name) && name.length <= maxLength
  const slug = isWhole
    ? name
    : Text.cut(name.toWellFormed().replaceAll("&", " and ").split(signs).filter(Boolean).join("-"), maxLength)
  return /^\.{0,2}$/.test(slug) ? fromTitle(name) : ServedNames.avoided(isWhole ? slug : slug.replace(/-$/, ""))
}

const invalid = new RegExp(`[\\s${Text.controls}/?#\\\\%]`, "u")
const signs = /[^\p{L}\p{M}\p{N}.+_]+/u

/** The slug with a suffix that tells it from a sibling's, within the length a slug may have. */
export const withSuffix = (slug: string, n: number): string => {
  const suffix = `-${n}`
  return Text.cut(slug, maxLength - suffix.length) + suffix
}
