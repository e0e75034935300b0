/**
 * The segment of a page in paths. The slug is derived from the title or the file name, unless a caller supplies one.
 * Comparisons ignore case.
 */
import * as Text from "@lectern/document/Text"
import * as UrlText from "@lectern/document/UrlText"
import * as ServedNames from "../../site/ServedNames.ts"

/** Maximum length in characters, including a suffix that distinguishes siblings. */
const maxLength = 100

/** Returns a slug in lower case and NFKC. URLs compare slugs in this form. */
export const foldCase = (slug: string): string => slug.normalize("NFKC").toLowerCase()

/** Returns the slug for a title, by the rules of the hosted service (see `UrlText`). */
export const fromTitle = (title: string): string => {
  const slug = ServedNames.avoided(UrlText.urlText(title).slice(0, maxLength).replace(/-$/, ""))
  return /^\.*$/.test(slug) ? "page" : slug
}

/**
 * Returns the slug for the name of a file or folder. A name that is a valid slug stays unchanged. In any other name
 * letters, case and script stay, `&` becomes `and`, and other signs become hyphens, as in slugs of titles. So all names
 * of a folder produce slugs of one style, and each slug depends only on its own name.
 */
export const fromName = (name: string): string => {
  const isWhole = !invalid.test(name) && name.length <= maxLength
  const slug = isWhole
    ? name
    : Text.truncate(
        name.toWellFormed().replaceAll("&", " and ").split(separatorSigns).filter(Boolean).join("-"),
        maxLength
      )
  return /^\.{0,2}$/.test(slug) ? fromTitle(name) : ServedNames.avoided(isWhole ? slug : slug.replace(/-$/, ""))
}

const invalid = new RegExp(`[\\s${Text.controlCharacters}/?#\\\\%]`, "u")
const separatorSigns = /[^\p{L}\p{M}\p{N}.+_]+/u

/** Returns the slug with a suffix that distinguishes it from a sibling's, within the maximum length of a slug. */
export const withSuffix = (slug: string, n: number): string => {
  const suffix = `-${n}`
  return Text.truncate(slug, maxLength - suffix.length) + suffix
}
