/**
 * Folders whose declared names are held to `PlainWords.ts`, and words that stay. A folder is added when all of its names
 * are plain. Once all folders are listed, only the exceptions stay.
 */

/** Paths from the root of the repository. A folder includes its subfolders, except those named `test`. */
export const plainFolders: ReadonlyArray<string> = [
  "packages/site",
  "apps/server/src",
  "checks",
  "packages/core/src/adaptive",
  "packages/core/src/computed",
  "packages/core/src/customization",
  "packages/core/src/evaluation",
  "packages/core/src/integration",
  "packages/core/src/link",
  "packages/core/src/link-check",
  "packages/core/src/openapi",
  "packages/core/src/pdf",
  "packages/core/src/redirect",
  "packages/core/src/site",
  "packages/core/src/sso",
  "packages/core/src/translation",
  "packages/core/src/visitor",
  "packages/document/src",
  "packages/http/src",
  "packages/core/src/content",
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
  "packages/adapter-contract",
  "packages/core/src/space",
  "packages/core/src/insights",
  "packages/core/src/access",
  "packages/core/src/comment",
  "packages/core/src/collection",
  "packages/core/src/thread",
  "packages/core/src/organization",
  "packages/core/src/team",
  "packages/core/src/git",
  "packages/core/src/change-request",
  "packages/core/src/job",
  "packages/core/src/event",
  "packages/core/src/template",
  "packages/core/src/identity",
  "packages/core/src/schema",
  "packages/core/src/audit",
  "packages/core/src/token",
  "packages/core/src/review",
  "packages/core/src/user",
  "packages/core/src/upload",
  "packages/core/src/grant",
  "packages/core/src/import-run",
  "packages/core/src/font",
  "packages/core/src/fetch",
  "packages/core/src/email-domain",
  "packages/core/src/paging",
  "packages/core/src/time",
  "packages/core/src/version",
  "packages/core/src/wiring",
  "packages/core/src/storage"
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
