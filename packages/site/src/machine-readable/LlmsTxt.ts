/**
 * List of all pages of a site for machines, in the format of `llms.txt`: a title, a sentence, and links to the Markdown
 * of each page. Each space and group has a heading.
 *
 * Limit: 50,000 characters (`Parts.maxLength`). A longer list links to other lists: a site's list to its spaces, and a
 * space's list to its groups. A list that is still longer is split into parts.
 */
import * as ServedNames from "@lectern/core/site/ServedNames"
import { collapsed } from "@lectern/document/markdown/OneLine"
import type * as Resources from "@lectern/core/content/ContentResources"
import * as Tree from "../reading/Tree.ts"
import * as AlternateUrls from "./AlternateUrls.ts"
import * as TextParts from "./TextParts.ts"
import type { ListedPage, ShownSpace } from "./VisibleSite.ts"

interface Titled {
  readonly title: string
  readonly description?: string | undefined
}

/** Returns a page as listed for machines. */
export const titled = ({ page: { title, description }, url }: ListedPage) => ({
  title,
  ...(description !== undefined && { description }),
  url
})

/** Returns text on one line, with the Markdown characters of links escaped. */
const lineOf = (text: string): string => collapsed(text).replace(/[[\]\\]/g, "\\$&")

const line = ({ title, description }: Titled, url: string): string =>
  `- [${lineOf(title)}](${url})${description ? `: ${lineOf(description)}` : ""}`

const headOf = ({ title, description }: Titled, fullText: string): string =>
  [
    `# ${lineOf(title)}`,
    `> ${lineOf(description || "All pages of this documentation, each as Markdown.")}`,
    `The whole text in parts: ${fullText}`
  ].join("\n\n")

/**
 * Returns the list of pages. Pages without children come first. Each group or page with children follows under a
 * heading.
 */
const listOf = (pages: ReadonlyArray<Resources.Page>, space: ShownSpace, level: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const sections: Array<string> = []
  for (const page of pages) {
    if (page.hidden === true || page.type === "link" || page.type === "computed") continue
    const below = flat(page.pages, space)
    const own = page.type === "document" && page.noIndex !== true ? [entry(page, space)] : []
    if (below.length === 0) lines.push(...own)
    else sections.push([`${"#".repeat(level)} ${lineOf(page.title)}`, [...own, ...below].join("\n")].join("\n\n"))
  }
  return [...(lines.length > 0 ? [lines.join("\n")] : []), ...sections]
}

const entry = (page: Resources.DocumentPage, space: ShownSpace): string =>
  line(page, AlternateUrls.markdownOf(Tree.urlOf(page, space)))

const flat = (pages: ReadonlyArray<Resources.Page>, space: ShownSpace): ReadonlyArray<string> =>
  Tree.inOrder(pages)
    .filter(({ noIndex }) => noIndex !== true)
    .map((page) => entry(page, space))

/** Returns true if the text exists and fits into one response. */
const fits = (text: string | undefined): text is string => text !== undefined && text.length <= TextParts.maxLength

/** Returns true if the pages cannot fit into one list, at a minimum of 20 characters per line. */
const areMany = (all: ReadonlyArray<ShownSpace>): boolean =>
  all.reduce((count, { tree }) => count + Tree.orderOf(tree).length, 0) * 20 > TextParts.maxLength

/**
 * Returns the list of a site. It contains the default variant of each section and links to the lists of other variants.
 */
export const ofSite = (
  about: Titled,
  base: string,
  spaces: ReadonlyArray<ShownSpace>,
  part: number
): string | undefined => {
  const head = headOf(about, base + ServedNames.fullText)
  const [only] = spaces
  if (spaces.length === 1 && only !== undefined) return ofSpace(about, only, part)
  const shown = spaces.filter(({ siteSpace }) => siteSpace.default)
  const others = spaces.filter((one) => !shown.includes(one))
  const nested = (all: ReadonlyArray<ShownSpace>) =>
    all.map(({ siteSpace, base }) => line(siteSpace, base + ServedNames.index)).join("\n")
  const tail = others.length === 0 ? [] : [`## Other versions\n\n${nested(others)}`]
  const lists = areMany(shown)
    ? undefined
    : shown.map((space) => [`## ${lineOf(space.siteSpace.title)}`, ...listOf(space.tree.pages, space, 3)].join("\n\n"))
  const whole = lists && [head, ...lists, ...tail].join("\n\n")
  const text = fits(whole) ? whole : [head, `## Contents\n\n${nested(shown)}`, ...tail].join("\n\n")
  return partOf(text, base + ServedNames.index, part)
}

/** Returns the list of a space. If the list is too long, it links to lists of the space's groups. */
export const ofSpace = (about: Titled, space: ShownSpace, part: number): string | undefined => {
  const head = headOf(about, space.base + ServedNames.fullText)
  const whole = areMany([space]) ? undefined : [head, ...listOf(space.tree.pages, space, 2)].join("\n\n")
  if (fits(whole)) return partOf(whole, space.base + ServedNames.index, part)
  const lines = space.tree.pages.flatMap((page): ReadonlyArray<string> => {
    if (page.hidden === true || page.type === "link" || page.type === "computed") return []
    if (Tree.inOrder(page.pages).some(({ noIndex }) => noIndex !== true))
      return [line(page, `${pathOf(page, space)}/${ServedNames.index}`)]
    return page.type === "document" && page.noIndex !== true ? [entry(page, space)] : []
  })
  return partOf([head, lines.join("\n")].join("\n\n"), space.base + ServedNames.index, part)
}

/** Returns the list of a group or page: the page itself and its descendants. */
export const below = (page: Resources.Page, space: ShownSpace, part: number): string | undefined => {
  if (page.type === "link" || page.type === "computed") return undefined
  const own = page.type === "document" && page.noIndex !== true ? [entry(page, space)] : []
  const text = [headOf(page, space.base + ServedNames.fullText), ...own, ...listOf(page.pages, space, 2)].join("\n\n")
  return partOf(text, `${pathOf(page, space)}/${ServedNames.index}`, part)
}

/** Returns the URL by the page's path, even for the front page, whose URL would be that of the space. */
const pathOf = ({ path }: { readonly path: string }, { base }: ShownSpace): string =>
  base + path.split("/").map(encodeURIComponent).join("/")

const partOf = (text: string, url: string, number: number): string | undefined => {
  const found = TextParts.numbered(text, TextParts.maxLength - 1_000, number)
  if (found === undefined) return undefined
  return found.isLast ? `${found.text}\n` : `${found.text}\n\n- [The rest of this list](${url}?part=${number + 1})\n`
}
