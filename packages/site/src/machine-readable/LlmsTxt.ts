/**
 * List of all pages of a site for machines, in the format of `llms.txt`: a title, a sentence, and links to the Markdown
 * of each page. Each space and group has a heading.
 *
 * Limit: 50,000 characters (`TextParts.maxLength`). A longer list links to other lists: a site's list to its spaces,
 * and a space's list to its groups. A list that is still longer is split into parts.
 */
import * as ServedNames from "@lectern/core/site/ServedNames"
import { collapseWhiteSpace } from "@lectern/document/markdown/OneLine"
import type * as Resources from "@lectern/core/content/ContentResources"
import * as Tree from "../reading/Tree.ts"
import * as AlternateUrls from "./AlternateUrls.ts"
import * as TextParts from "./TextParts.ts"
import type { ListedPage, VisibleSpace } from "./VisibleSite.ts"

interface TitledItem {
  readonly title: string
  readonly description?: string | undefined
}

/** Returns a page as listed for machines. */
export const titledPage = ({ page: { title, description }, url }: ListedPage) => ({
  title,
  ...(description !== undefined && { description }),
  url
})

/** Returns text on one line, with the Markdown characters of links escaped. */
const escapeLine = (text: string): string => collapseWhiteSpace(text).replace(/[[\]\\]/g, "\\$&")

const linkLine = ({ title, description }: TitledItem, url: string): string =>
  `- [${escapeLine(title)}](${url})${description ? `: ${escapeLine(description)}` : ""}`

const listHeader = (
  { title, description }: TitledItem,
  fullText: string,
  { maxLength }: TextParts.RequestedPart
): string =>
  [
    `# ${escapeLine(title)}`,
    `> ${escapeLine(description || "All pages of this documentation, each as Markdown.")}`,
    `The whole text${maxLength === Infinity ? "" : " in parts"}: ${fullText}`
  ].join("\n\n")

/**
 * Returns the list of pages. Pages without children come first. Each group or page with children follows under a
 * heading.
 */
const listLines = (pages: ReadonlyArray<Resources.Page>, space: VisibleSpace, level: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const sections: Array<string> = []
  for (const page of pages) {
    if (page.hidden === true || page.type === "link" || page.type === "computed") continue
    const descendants = flatEntries(page.pages, space)
    const ownLines = page.type === "document" && page.noIndex !== true ? [pageEntry(page, space)] : []
    if (descendants.length === 0) lines.push(...ownLines)
    else
      sections.push(
        [`${"#".repeat(level)} ${escapeLine(page.title)}`, [...ownLines, ...descendants].join("\n")].join("\n\n")
      )
  }
  return [...(lines.length > 0 ? [lines.join("\n")] : []), ...sections]
}

const pageEntry = (page: Resources.DocumentPage, space: VisibleSpace): string =>
  linkLine(page, AlternateUrls.markdownUrl(Tree.urlOf(page, space)))

const flatEntries = (pages: ReadonlyArray<Resources.Page>, space: VisibleSpace): ReadonlyArray<string> =>
  Tree.documentsIn(pages)
    .filter(({ noIndex }) => noIndex !== true)
    .map((page) => pageEntry(page, space))

/** Returns true if the text exists and fits into one response. */
const isShortEnough = (text: string | undefined, { maxLength }: TextParts.RequestedPart): text is string =>
  text !== undefined && text.length <= maxLength

/** Returns true if the pages cannot fit into one list, at a minimum of 20 characters per line. */
const exceedsLimit = (all: ReadonlyArray<VisibleSpace>, { maxLength }: TextParts.RequestedPart): boolean =>
  all.reduce((count, { tree }) => count + Tree.allDocuments(tree).length, 0) * 20 > maxLength

/**
 * Returns the text of a site's `llms.txt`: the pages of the default variant of each section, and links to the `llms.txt`
 * of other variants. Undefined if there is no such part.
 */
export const siteList = (
  heading: TitledItem,
  base: string,
  spaces: ReadonlyArray<VisibleSpace>,
  part: TextParts.RequestedPart
): string | undefined => {
  const header = listHeader(heading, base + ServedNames.fullText, part)
  const [onlySpace] = spaces
  if (spaces.length === 1 && onlySpace !== undefined) return spaceList(heading, onlySpace, part)
  const defaultSpaces = spaces.filter(({ siteSpace }) => siteSpace.default)
  const otherSpaces = spaces.filter((space) => !defaultSpaces.includes(space))
  const spaceLinks = (all: ReadonlyArray<VisibleSpace>) =>
    all.map(({ siteSpace, base }) => linkLine(siteSpace, base + ServedNames.index)).join("\n")
  const otherLists = otherSpaces.length === 0 ? [] : [`## Other versions\n\n${spaceLinks(otherSpaces)}`]
  const lists = exceedsLimit(defaultSpaces, part)
    ? undefined
    : defaultSpaces.map((space) =>
        [`## ${escapeLine(space.siteSpace.title)}`, ...listLines(space.tree.pages, space, 3)].join("\n\n")
      )
  const fullList = lists && [header, ...lists, ...otherLists].join("\n\n")
  const text = isShortEnough(fullList, part)
    ? fullList
    : [header, `## Contents\n\n${spaceLinks(defaultSpaces)}`, ...otherLists].join("\n\n")
  return listPart(text, base + ServedNames.index, part)
}

/** Returns the list of a space. If the list is too long, it links to lists of the space's groups. */
export const spaceList = (
  heading: TitledItem,
  space: VisibleSpace,
  part: TextParts.RequestedPart
): string | undefined => {
  const header = listHeader(heading, space.base + ServedNames.fullText, part)
  const fullList = exceedsLimit([space], part)
    ? undefined
    : [header, ...listLines(space.tree.pages, space, 2)].join("\n\n")
  if (isShortEnough(fullList, part)) return listPart(fullList, space.base + ServedNames.index, part)
  const lines = space.tree.pages.flatMap((page): ReadonlyArray<string> => {
    if (page.hidden === true || page.type === "link" || page.type === "computed") return []
    if (Tree.documentsIn(page.pages).some(({ noIndex }) => noIndex !== true))
      return [linkLine(page, `${pathUrl(page, space)}/${ServedNames.index}`)]
    return page.type === "document" && page.noIndex !== true ? [pageEntry(page, space)] : []
  })
  return listPart([header, lines.join("\n")].join("\n\n"), space.base + ServedNames.index, part)
}

/** Returns the list of a group or page: the page itself and its descendants. */
export const pageList = (
  page: Resources.Page,
  space: VisibleSpace,
  part: TextParts.RequestedPart
): string | undefined => {
  if (page.type === "link" || page.type === "computed") return undefined
  const ownLines = page.type === "document" && page.noIndex !== true ? [pageEntry(page, space)] : []
  const text = [
    listHeader(page, space.base + ServedNames.fullText, part),
    ...ownLines,
    ...listLines(page.pages, space, 2)
  ].join("\n\n")
  return listPart(text, `${pathUrl(page, space)}/${ServedNames.index}`, part)
}

/** Returns the URL by the page's path, even for the front page, whose URL would be that of the space. */
const pathUrl = ({ path }: { readonly path: string }, { base }: VisibleSpace): string =>
  base + path.split("/").map(encodeURIComponent).join("/")

const listPart = (text: string, url: string, { number, maxLength }: TextParts.RequestedPart): string | undefined => {
  const listText = TextParts.partAt(text, maxLength - 1_000, number)
  if (listText === undefined) return undefined
  return listText.isLast
    ? `${listText.text}\n`
    : `${listText.text}\n\n- [The rest of this list](${url}?part=${number + 1})\n`
}
