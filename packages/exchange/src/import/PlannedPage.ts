/** A page that an import will create, with its descendants. */
import type { FolderFile } from "./Folder.ts"
import type { PageFields } from "./PageFields.ts"

interface ListedEntry {
  /** Line number of the entry in the table of contents. Absent if the page is not listed. */
  readonly line?: number
}

export interface PlannedDocument extends ListedEntry {
  readonly type: "document"
  readonly file: FolderFile
  /** Title in the table of contents. Default: the title in the file. */
  readonly title?: string
  /** Name in navigation, if it differs from the title. */
  readonly linkTitle?: string
  readonly hidden?: boolean
  readonly children: Array<PlannedPage>
}
/** A group. Below another page, it becomes a document marked as `unlinked`. */
export interface PlannedGroup extends ListedEntry {
  readonly type: "group"
  readonly title: string
  readonly slug?: string
  readonly hidden?: boolean
  readonly fields?: PageFields
  readonly children: Array<PlannedPage>
}
export interface PlannedLink extends ListedEntry {
  readonly type: "link"
  readonly title: string
  readonly url: string
  readonly fields?: PageFields
}
export type PlannedPage = PlannedDocument | PlannedGroup | PlannedLink
