/**
 * Folders whose declared names are held to `PlainWords.ts`, and words that stay. A folder is added when all of its names
 * are plain. Once all folders are listed, only the exceptions stay.
 */

/** Paths from the root of the repository. A folder includes its subfolders, except those named `test`. */
export const plainFolders: ReadonlyArray<string> = [
  "packages/site",
  "checks",
  "packages/core/src",
  "packages/document/src",
  "packages/editor",
  "packages/exchange/src",
  "packages/http/src",
  "apps",
  "integrations",
  "bundle",
  "bench",
  "fuzz",
  "examples",
  "packages/services-node",
  "packages/integrations-workerd",
  "packages/adapter-sqlite",
  "packages/adapter-memory",
  "packages/adapter-postgres",
  "packages/adapter-contract",
  "packages/testing",
  "packages/sign-in"
]

export interface Exception {
  readonly file: string
  /** The refused words, or the declared name, as the message quotes them. */
  readonly words: string
  readonly reason: string
}

/** Words and names that stay. An entry that matches nothing is reported. */
export const exceptions: ReadonlyArray<Exception> = [
  { file: "packages/site/src/page/messages/Messages.ts", words: "notDrawn", reason: "A key of the message files" },
  { file: "packages/site/src/page/messages/Messages.ts", words: "question", reason: "A key of the message files" },
  { file: "packages/site/src/page/messages/Messages.ts", words: "answer", reason: "A key of the message files" },
  { file: "packages/site/src/document/Images.ts", words: "drawing", reason: "The name of a block type" },
  {
    file: "packages/document/src/DocumentAnchors.ts",
    words: "shown",
    reason: "field of a link in responses"
  },
  {
    file: "packages/document/src/DocumentAnchors.ts",
    words: "written",
    reason: "field of a link in responses"
  },
  {
    file: "packages/document/src/wire/WireText.ts",
    words: "written",
    reason: "field of nodes and leaves in responses"
  },
  {
    file: "packages/document/src/wire/WrittenField.ts",
    words: "written",
    reason: "field of nodes and leaves in responses"
  },
  {
    file: "packages/document/src/markdown/BlocksFromHtml.ts",
    words: "readDrawing",
    reason: "type of a block"
  },
  {
    file: "packages/document/src/markdown/BlocksToHtml.ts",
    words: "drawingElement",
    reason: "type of a block"
  }
]
