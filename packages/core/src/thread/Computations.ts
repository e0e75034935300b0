/** All that threads compute, by name: each is loaded when it is first asked for. */
import type { Computation } from "./Computation.ts"

type Named = Pick<Computation<never, unknown, never>, "name" | "run">

const all: { readonly [name: string]: () => Promise<Named> } = {
  "check-script": async () => (await import("../integration/IntegrationScript.ts")).CheckScript,
  "compare-documents": async () => (await import("../content/compute/CompareDocuments.ts")).CompareDocuments,
  "compare-outermost": async () => (await import("../content/compute/CompareDocuments.ts")).CompareOutermost,
  "find-references": async () => (await import("../content/compute/DocumentReferences.ts")).FindReferences,
  "index-document": async () => (await import("../content/compute/IndexDocument.ts")).IndexDocument,
  "map-references": async () => (await import("../content/compute/DocumentReferences.ts")).MapReferences,
  "merge-documents": async () => (await import("../content/compute/MergeDocuments.ts")).MergeDocuments,
  "print-document": async () => (await import("../content/compute/PrintDocument.ts")).PrintDocument,
  "read-comment": async () => (await import("../comment/CommentBody.ts")).ReadComment,
  "read-document": async () => (await import("../content/compute/ReadDocument.ts")).ReadDocument,
  "read-json": async () => (await import("../schema/JsonBody.ts")).ReadJson,
  "read-page": async () => (await import("../content/import/ReadPage.ts")).ReadPage,
  "read-spec": async () => (await import("../openapi/ReadSpec.ts")).ReadSpec,
  "resolve-conflict": async () => (await import("../content/compute/EditDocument.ts")).ResolveConflict,
  "revert-blocks": async () => (await import("../content/compute/EditDocument.ts")).RevertBlocks,
  "write-document": async () => (await import("../content/compute/WriteDocument.ts")).WriteDocument,
  "write-unaligned": async () => (await import("../content/compute/WriteDocument.ts")).WriteUnaligned,
  "write-page": async () => (await import("../content/export/WritePage.ts")).WritePage
}

export const names = Object.keys(all)

/** For a thread: the computation of this name, of what it was sent. */
export const find = (name: string) => all[name]!() as Promise<Computation<unknown, unknown, unknown>>
