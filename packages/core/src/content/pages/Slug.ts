/**
 * The segment of a path that a page answers to: derived from its title where nobody gave one, and
 * compared without regard to case.
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

/** The slug with a suffix that tells it from a sibling's, within the length a slug may have. */
export const withSuffix = (slug: string, n: number): string => {
  const suffix = `-${n}`
  return Text.cut(slug, maxLength - suffix.length) + suffix
}
