/** A page as an import is going to make it, with those below it. */
import type { FolderFile } from "./Folder.ts"
import type { PageFields } from "./PageFields.ts"

interface Listed {
  /** The line of its entry in the table of contents, where it has one. */
  readonly line?: number
}

export interface PlannedDocument extends Listed {
  readonly type: "document"
  readonly file: FolderFile
  /** As the summary says it; where there is none the page says it itself. */
  readonly title?: string
  /** Name in navigation, where that is something else. */
  readonly linkTitle?: string
  readonly hidden?: boolean
  readonly children: Array<PlannedPage>
}
/** Below another page it becomes a document that is unlinked. */
export interface PlannedGroup extends Listed {
  readonly type: "group"
  readonly title: string
  readonly slug?: string
  readonly hidden?: boolean
  readonly fields?: PageFields
  readonly children: Array<PlannedPage>
}
export interface PlannedLink extends Listed {
  readonly type: "link"
  readonly title: string
  readonly url: string
  readonly fields?: PageFields
}
export type PlannedPage = PlannedDocument | PlannedGroup | PlannedLink
