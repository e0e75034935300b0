/**
 * State of a batch of changes while it is applied: the current content, the outcome for each page, and the ids for the
 * names of the batch. All changes are made through it.
 */
import { Effect } from "effect"
import type { BlobHash } from "../../storage/BlobStore.ts"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import type { StorageError } from "../../storage/Storage.ts"
import type { Timestamp } from "../../schema/Text.ts"
import type { FencedBlock } from "@lectern/document/integration-blocks/BlockOrigin"
import type { Content } from "../Content.ts"
import * as BatchDocument from "../documents/BatchDocument.ts"
import type { BatchRefs } from "../documents/BatchRefs.ts"
import type { ReadResult } from "../documents/ReadDocument.ts"
import * as StoredDocument from "../documents/StoredDocument.ts"
import * as SourceStyles from "../documents/SourceStyles.ts"
import type { FileId } from "../files/File.ts"
import type { PageId } from "../pages/Page.ts"
import * as PathReferences from "../pages/PathReferences.ts"
import type { ObjectDraft } from "../store/Objects.ts"
import type { DocumentBody } from "./ContentChange.ts"
import * as ContentEditor from "./ContentEditor.ts"
import { ContentPageNotFound, invalid } from "./ContentErrors.ts"

export interface BatchEnv {
  readonly now: Timestamp
  readonly nextId: Effect.Effect<string>
  /** Returns a new key for a block. */
  readonly nextKey: () => string
  readonly putBlob: (bytes: Uint8Array) => Effect.Effect<BlobHash, StorageError>
  /** Returns a fetched file by its URL. */
  readonly fileAt?: (url: string) => { readonly bytes: Uint8Array; readonly contentType?: string } | undefined
  /**
   * Returns the content of a revision. Undefined if the space has no such revision. Without an id: the content that
   * `revert_page` reverts to by default.
   */
  readonly contentOf: (revision?: string) => Effect.Effect<Content | undefined, StorageError>
  /** Blocks of integrations that are written as code. Default: none. */
  readonly fenced?: ReadonlyArray<FencedBlock>
  /** Resolves absolute URLs to references. Default: URLs stay unchanged. */
  readonly refsOf?: PathReferences.RefsOf
}

/** Document that the batch wrote, and the folder in which its relative links start. */
interface DocumentEdit {
  readonly folder: string
  /** The document before the batch. */
  readonly stored: StoredDocument.StoredDocument
}

/** Outcome for a page. Each page occurs once, in the order in which the batch first changed the pages. */
export type PageOutcome =
  | { readonly object: "created_page"; readonly page: PageId; readonly ref?: string }
  | { readonly object: "updated_page"; readonly page: PageId }
  | { readonly object: "deleted_page"; readonly page: PageId }

/** A batch: the changes so far, and the ids of its names. */
export class ContentBatch {
  readonly draft: ObjectDraft
  readonly env: BatchEnv
  readonly editor: ContentEditor.ContentEditor
  readonly refs: BatchRefs
  readonly outcomes = new Map<PageId, PageOutcome>()
  readonly documentEdits = new Map<PageId, DocumentEdit>()
  readonly insertedFiles: Array<{ readonly file: FileId; readonly ref?: string }> = []
  readonly reusableContents: Array<{ readonly reusableContent: string; readonly ref?: string }> = []

  constructor(draft: ObjectDraft, content: Content, env: BatchEnv, refs: BatchRefs) {
    this.draft = draft
    this.env = env
    this.editor = ContentEditor.make(draft, content, env.now)
    this.refs = refs
  }

  pageId(name: string): string {
    return this.refs.get("page", name) ?? name
  }

  markUpdated(page: PageId): void {
    const outcome = this.outcomes.get(page)
    if (outcome === undefined || outcome.object === "deleted_page") {
      this.outcomes.set(page, { object: "updated_page", page })
    }
  }

  markDeleted(page: PageId): void {
    const created = this.outcomes.get(page)?.object === "created_page"
    if (created) this.outcomes.delete(page)
    else this.outcomes.set(page, { object: "deleted_page", page })
  }

  /** Reads the document of a change. `titles`: titles of the page, if the text may start with one as a heading. */
  document(body: DocumentBody, path: string, titles?: ReadonlyArray<string>) {
    const { nextKey, fenced } = this.env
    const { threads } = this.draft
    return BatchDocument.read(body, path, {
      threads,
      nextKey,
      refs: this.refs,
      ...(fenced && { fenced }),
      ...(titles && { titles })
    })
  }

  /**
   * Writes the source styles of a page or reusable content, updated with the blocks whose style differs from the
   * default.
   */
  readonly sourceFields = (read: ReadResult | undefined, before: { readonly source?: ObjectHash } | undefined) =>
    Effect.gen({ self: this }, function* () {
      if (read?.styledTexts === undefined) return {}
      const previousSource = before?.source && StoredDocument.parseValue(yield* this.editor.source(before.source))
      return { source: this.draft.write(SourceStyles.withStyledBlocks(previousSource, read.styledTexts)) }
    })

  /** Returns the document with references by id instead of links by path and by URL. */
  resolveLinks(document: StoredDocument.StoredDocument, { folder, stored }: DocumentEdit) {
    return PathReferences.resolve(this.editor, this.draft.threads, document, folder, stored, this.env.refsOf)
  }

  /**
   * Returns the id of the page that a change inserts into. Null: the top. Rejects links and computed pages, which
   * cannot have other children.
   */
  readonly parent = (into: string | null, path: string) =>
    Effect.gen({ self: this }, function* () {
      if (into === null) return null
      const id = this.pageId(into)
      const page = yield* this.editor.page(id)
      if (page === undefined) return yield* new ContentPageNotFound({ page: into, path: `${path}.into` })
      if (page.type === "link") return yield* invalid(`${path}.into`, "A link holds no pages")
      if (page.type === "computed") {
        return yield* invalid(`${path}.into`, "A computed page holds the pages that are built for it, and no others")
      }
      return page.id
    })
}
