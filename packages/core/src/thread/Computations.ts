/** Registry of the computations of the core by name. Each is loaded on first use. Other packages have registries too. */
import { Effect } from "effect"
import type { Computation } from "./Computation.ts"

type NamedComputation = Pick<Computation<never, unknown, never>, "name" | "run">

/** Computations by name. */
export type Computations = { readonly [name: string]: () => Promise<NamedComputation> }

export const computations: Computations = {
  "amend-documents": async () => (await import("../translation/AmendDocuments.ts")).AmendDocuments,
  "check-answered-pages": async () => (await import("../computed/ResponsePages.ts")).CheckPages,
  "check-script": async () => (await import("../integration/IntegrationScript.ts")).CheckScript,
  "collect-texts": async () => (await import("../translation/TranslateTexts.ts")).CollectTexts,
  "compare-documents": async () => (await import("../content/documents/CompareDocuments.ts")).CompareDocuments,
  "compare-outermost": async () => (await import("../content/documents/CompareDocuments.ts")).CompareOutermost,
  "cut-spec": async () => (await import("../openapi/SpecJson.ts")).SplitSpec,
  "find-drawn-links": async () => (await import("../content/documents/FindRenderedLinks.ts")).FindRenderedLinks,
  "find-drawings": async () => (await import("../pdf/IntegrationBlocks.ts")).FindRenderRequests,
  "find-references": async () => (await import("../content/documents/DocumentReferences.ts")).FindReferences,
  "stringify-text": async () => (await import("../schema/StringifyText.ts")).StringifyText,
  "index-document": async () => (await import("../content/documents/IndexDocument.ts")).IndexDocument,
  "link-document": async () => (await import("../content/documents/LinkDocument.ts")).LinkDocument,
  "map-references": async () => (await import("../content/documents/DocumentReferences.ts")).MapReferences,
  "merge-documents": async () => (await import("../content/documents/MergeDocuments.ts")).MergeDocuments,
  "open-answered": async () => (await import("../content/documents/ParseResponseDocument.ts")).ParseResponseDocument,
  "preview-targets": async () => (await import("../comment/TargetPreviews.ts")).TargetPreviews,
  "print-absolute": async () => (await import("../content/documents/PrintAbsolute.ts")).PrintAbsolute,
  "print-document": async () => (await import("../content/documents/PrintDocument.ts")).PrintDocument,
  "put-drawings": async () => (await import("../pdf/IntegrationBlocks.ts")).ReplaceIntegrationBlocks,
  "put-answers": async () => (await import("../translation/TranslateTexts.ts")).ApplyTranslations,
  "read-comment": async () => (await import("../comment/CommentBody.ts")).ReadComment,
  "read-document": async () => (await import("../content/documents/ReadDocument.ts")).ReadDocument,
  "read-json": async () => (await import("../schema/JsonBody.ts")).ReadJson,
  "read-sections": async () => (await import("../search/ReadSections.ts")).ReadSections,
  "read-spec": async () => (await import("../openapi/ReadSpec.ts")).ReadSpec,
  "resolve-conflict": async () => (await import("../content/documents/EditDocument.ts")).ResolveConflict,
  "revert-blocks": async () => (await import("../content/documents/EditDocument.ts")).RevertBlocks,
  "show-document": async () => (await import("../evaluation/PresentDocument.ts")).PresentDocument,
  "show-references": async () => (await import("../evaluation/VisibleReferences.ts")).VisibleReferences,
  "write-document": async () => (await import("../content/documents/WriteDocument.ts")).WriteDocument,
  "write-unaligned": async () => (await import("../content/documents/WriteDocument.ts")).WriteUnaligned
}

/** Loads a computation of a registry. Called in a thread, for its tasks. */
export const find = (registry: Computations, name: string) =>
  registry[name]!() as Promise<Computation<unknown, unknown, unknown>>

/** Loads the function of a computation. For hosts without Effect. */
export const runOf = async (registry: Computations, name: string) => Effect.runPromise((await find(registry, name)).run)
