/**
 * Anchors of headings and titles: the ids in URLs, derived from the text as by the hosted service (see `UrlText`). A
 * heading with an explicit id keeps it. If an id is already in use, the later heading gets `-1`, `-2` and so on
 * appended.
 *
 * Links may be written for other programs. A heading is therefore also found by the anchor that GitHub derives from its
 * text, by its plain text, and by names in HTML (see `NamedAnchors`). Ids take precedence over these aliases.
 */
import { decodePercent } from "./PercentEncoding.ts"
import type { Block } from "./Document.ts"
import * as UrlText from "./UrlText.ts"

export interface Anchor {
  /** Unique in the document. */
  readonly id: string
  /** Aliases of the heading: further fragments that name it, normalized by `normalizeFragment`. */
  readonly aliases: ReadonlyArray<string>
}

/**
 * Returns a function that assigns ids to the headings of a document, called in document order. `usedIds`: ids that are
 * already in use. Default: none.
 */
export const idAssigner = (usedIds?: Iterable<string>): ((heading: Block, text: string) => string) => {
  const uniqueText = uniqueTextMaker(usedIds)
  return (heading, text) => uniqueText(explicitIdOf(heading) ?? idOf(text))
}

const explicitIdOf = ({ data }: Block): string | undefined => {
  const explicitId = data?.id ?? data?.slug
  return typeof explicitId === "string" && explicitId !== "" ? explicitId : undefined
}

/**
 * Returns a function that assigns an id and aliases to each heading of a document, called in document order. `names`:
 * further aliases. Default: none.
 */
export const anchorAssigner = (): ((heading: Block, text: string, names?: ReadonlyArray<string>) => Anchor) => {
  const [uniqueId, uniqueGitHubId] = [uniqueTextMaker(), uniqueTextMaker()]
  return (heading, text, names = []) => {
    const textId = idOf(text)
    const id = uniqueId(explicitIdOf(heading) ?? textId)
    const gitHubId = gitHubIdOf(text)
    const unprefixedId = textId.startsWith(digitPrefix) ? textId.slice(digitPrefix.length) : textId
    const textAliases = [
      textId,
      unprefixedId,
      uniqueGitHubId(gitHubId),
      gitHubId.replace(/-+/g, "-").replace(/^-|-$/g, "")
    ]
    const aliases = new Set([...textAliases.map((text) => text.normalize("NFC")), ...names])
    aliases.delete(id)
    aliases.delete("")
    return { id, aliases: [...aliases] }
  }
}

/** Normalizes a fragment for comparison: decodes percent encoding, applies Unicode NFC and folds case. */
export const normalizeFragment = (fragment: string): string =>
  decodePercent(fragment).normalize("NFC").toLowerCase().normalize("NFC")

/** Serializes an anchor: the id, followed by the aliases, separated by spaces. */
export const serializeAnchor = ({ id, aliases }: Anchor): string => [id, ...aliases].join(" ")

/**
 * Returns a function that finds the serialized anchor that a fragment names. The exact id comes first, then the first
 * id that is equal after `normalizeFragment`, then the first anchor with a matching alias. The anchors are read once,
 * for any number of fragments.
 */
export const anchorFinder = (anchors: ReadonlyArray<string>): ((fragment: string) => string | undefined) => {
  const ids = new Set<string>()
  const byId = new Map<string, string>()
  const byAlias = new Map<string, string>()
  for (const anchor of anchors) {
    const [id = "", ...aliases] = anchor.split(" ")
    const normalizedId = normalizeFragment(id)
    ids.add(id)
    if (!byId.has(normalizedId)) byId.set(normalizedId, id)
    for (const alias of aliases) if (!byAlias.has(alias)) byAlias.set(alias, id)
  }
  return (fragment) => {
    if (ids.has(fragment)) return fragment
    const normalized = normalizeFragment(fragment)
    return byId.get(normalized) ?? byAlias.get(normalized)
  }
}

const digitPrefix = "id-"

const idOf = (text: string): string => {
  const id = UrlText.urlText(text) || "section"
  return /^[0-9]/.test(id) ? `${digitPrefix}${id}` : id
}

const gitHubIdOf = (text: string): string =>
  text
    .slice(0, UrlText.maxLength)
    .toLowerCase()
    .trim()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]+/gu, "")
    .replace(/\s/g, "-")

/** Returns a function that makes texts unique by appending a number to repeated ones. */
const uniqueTextMaker = (usedTexts: Iterable<string> = []): ((text: string) => string) => {
  const takenTexts = new Set(usedTexts)
  const counts = new Map<string, number>()
  return (text) => {
    let uniqueText = text
    if (takenTexts.has(text)) {
      let count = counts.get(text) ?? 0
      do uniqueText = `${text}-${++count}`
      while (takenTexts.has(uniqueText))
      counts.set(text, count)
    }
    takenTexts.add(uniqueText)
    return uniqueText
  }
}
