/** A page as an import is going to make it, with those below it. */
import type { FolderFile } from "./Folder.ts"
import type { PageFields } from "./PageFields.ts"

export interface PlannedDocument {
  readonly type: "document"
  readonly file: FolderFile
  /** As the summary says it; where there is none the page says it itself. */
  readonly title?: string
  readonly hidden?: boolean
  readonly children: Array<PlannedPage>
}
export interface PlannedGroup {
  readonly type: "group"
  readonly title: string
  readonly slug?: string
  readonly hidden?: boolean
  readonly fields?: PageFields
  readonly children: Array<PlannedPage>
}
export interface PlannedLink {
  readonly type: "link"
  readonly title: string
  readonly url: string
  readonly fields?: PageFields
}
export type PlannedPage = PlannedDocument | PlannedGroup | PlannedLink
