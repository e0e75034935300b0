/**
 * Pages of a part of a folder that has only some of the groups of a shared navigation, such as one section of a site.
 */
import type { FolderPart } from "./Folder.ts"
import type { PlannedPage } from "./PlannedPage.ts"

/** Returns the pages of the groups of a part. The pages of its first group are at the top. */
export const pagesOfGroups = (
  pages: ReadonlyArray<PlannedPage>,
  { all, hasOthers, own }: NonNullable<FolderPart["groups"]>
): ReadonlyArray<PlannedPage> =>
  pages.flatMap((page) => {
    const title = groupTitleOf(page)
    const isOwn = title !== undefined && all.has(title) ? own.includes(title) : hasOthers
    if (!isOwn) return []
    return page.type === "group" && title === own[0] ? page.children : [page]
  })

/** Returns the titles of groups of a part that the navigation lacks. */
export const missingGroups = (
  pages: ReadonlyArray<PlannedPage>,
  { own }: NonNullable<FolderPart["groups"]>
): ReadonlyArray<string> => {
  const titles = new Set(pages.map(groupTitleOf))
  return own.filter((title) => title !== "" && !titles.has(title))
}

/** Returns the title of a group at the top, or the empty text for a page outside of groups. Undefined for hidden pages. */
const groupTitleOf = (page: PlannedPage): string | undefined => {
  if (page.type !== "link" && page.hidden === true) return undefined
  if (page.type === "group") return page.title
  if (page.type === "link" || page.children.length === 0) return ""
  return page.linkTitle ?? page.title ?? ""
}
