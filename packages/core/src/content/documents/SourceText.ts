/**
 * The form that people gave a page: the text of the file that it was imported from, and of blocks that were written
 * since. An export gives back what of it still holds (see `export/KeptText`), so nobody finds lines changed in Git
 * that nobody changed. It stands beside the document: pages that say the same are the same however they are
 * written, and review, merging and answers know nothing of it. What it means is found out by reading it anew, so it
 * may be older than the document.
 */
export interface SourceText {
  /** Absent for a page that was never imported. */
  readonly text?: string
  /** Blocks that were written in a form of their own since then (see `StyledBlocks`), the last first. */
  readonly styled?: ReadonlyArray<string>
}
