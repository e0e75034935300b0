/**
 * The text of the file that a page was imported from. An export gives back what of it still holds (see
 * `export/KeptText`), so nobody finds lines changed in Git that nobody changed. It stands beside the
 * document: pages that say the same are the same however they are written, and review, merging and answers
 * know nothing of it. What it means is found out by reading it anew, so it may be older than the document.
 */
export interface SourceText {
  readonly text: string
}
