/**
 * Anchors of headings and titles: the ids in URLs, derived from the text as by the hosted service (see `UrlText`). A
 * heading with an explicit id keeps it. If an id is already in use, the later heading gets `-1`, `-2` and so on
 * appended.
 *
 * Links may be written for other programs. A heading is therefore also found by the anchor that GitHub derives from its
 * text, by its plain text, and by names in HTML (see `NamedPlaces`). Ids take precedence over these aliases.
 */
import { decoded } from "./PercentEncoding.ts"
import type { Block } from "./Document.ts"
import * as UrlText from "./UrlText.ts"

export interface Anchor {
  /** Unique in the document. */
  readonly id: string
  /** Aliases of the heading: further fragments that name it, normalized by `fold`. */
  readonly others: ReadonlyArray<string>
}

/**
 * Returns a function that assigns ids to the headings of a document, called in document order. `others`: ids that are
 * already in use. Default: none.
 */
export const ids = (others?: Iterable<string>): ((heading: Block, text: string) => string) => {
  const distinct = distinctIn(others)
  return (heading, text) => distinct(givenTo(heading) ?? idOf(text))
}

const givenTo = ({ data }: Block): string | undefined => {
  const given = data?.id ?? data?.slug
  return typeof given === "string" && given !== "" ? given : undefined
}

/**
 * Returns a function that assigns an id and aliases to each heading of a document, called in document order. `names`:
 * further aliases. Default: none.
 */
export const all = (): ((heading: Block, text: string, names?: ReadonlyArray<string>) => Anchor) => {
  const [distinct, onGitHub] = [distinctIn(), distinctIn()]
  return (heading, text, names = []) => {
    const said = idOf(text)
    const id = distinct(givenTo(heading) ?? said)
    const plain = gitHubOf(text)
    const bare = said.startsWith(beforeDigit) ? said.slice(beforeDigit.length) : said
    const texts = [said, bare, onGitHub(plain), plain.replace(/-+/g, "-").replace(/^-|-$/g, "")]
    const others = new Set([...texts.map((text) => text.normalize("NFC")), ...names])
    others.delete(id)
    others.delete("")
    return { id, others: [...others] }
  }
}

/** Normalizes a fragment for comparison: decodes percent encoding, applies Unicode NFC and folds case. */
export const fold = (fragment: string): string => decoded(fragment).normalize("NFC").toLowerCase().normalize("NFC")

/** Serializes an anchor: the id, followed by the aliases, separated by spaces. */
export const pack = ({ id, others }: Anchor): string => [id, ...others].join(" ")

/**
 * Finds the packed anchor that a fragment names. The exact id comes first, then the first id that is equal after
 * `fold`, then the first anchor with a matching alias. Reads the anchors once, for any number of fragments.
 */
export const finder = (anchors: ReadonlyArray<string>): ((fragment: string) => string | undefined) => {
  const ids = new Set<string>()
  const byId = new Map<string, string>()
  const byOther = new Map<string, string>()
  for (const anchor of anchors) {
    const [id = "", ...others] = anchor.split(" ")
    const folded = fold(id)
    ids.add(id)
    if (!byId.has(folded)) byId.set(folded, id)
    for (const other of others) if (!byOther.has(other)) byOther.set(other, id)
  }
  return (fragment) => {
    if (ids.has(fragment)) return fragment
    const wanted = fold(fragment)
    return byId.get(wanted) ?? byOther.get(wanted)
  }
}

const beforeDigit = "id-"

const idOf = (text: string): string => {
  const said = UrlText.of(text) || "section"
  return /^[0-9]/.test(said) ? `${beforeDigit}${said}` : said
}

const gitHubOf = (text: string): string =>
  text
    .slice(0, UrlText.maxLength)
    .toLowerCase()
    .trim()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]+/gu, "")
    .replace(/\s/g, "-")

/** Returns a function that makes texts unique by appending a number to repeated ones. */
const distinctIn = (others: Iterable<string> = []): ((text: string) => string) => {
  const taken = new Set(others)
  const counts = new Map<string, number>()
  return (text) => {
    let one = text
    if (taken.has(text)) {
      let count = counts.get(text) ?? 0
      do one = `${text}-${++count}`
      while (taken.has(one))
      counts.set(text, count)
    }
    taken.add(one)
    return one
  }
}
