/** Edits of single blocks of a document: reverting blocks (see `BlockRevert`), and resolving a conflict. */
import { Result } from "effect"
import { keysFrom } from "../../identity/Ids.ts"
import * as Computation from "../../thread/Computation.ts"
import { revertBlocks } from "@lectern/document/BlockRevert"
import { type BlockConflict, type Keep, resolve } from "@lectern/document/merge/DocumentMerge"
import { serialize, isSmall, parseDocument, type StoredDocument } from "./StoredDocument.ts"

interface RevertInput {
  readonly now: StoredDocument
  readonly before: StoredDocument
  readonly keys: ReadonlyArray<string>
}

export const RevertBlocks = Computation.make({
  name: "revert-blocks",
  isSmall: ({ now, before }: RevertInput) => isSmall(now) && isSmall(before),
  run: ({ now, before, keys }) => serialize(revertBlocks(parseDocument(now), parseDocument(before), new Set(keys)))
})

interface ResolveInput {
  readonly document: StoredDocument
  readonly conflict: BlockConflict
  readonly choice: Keep
  /** Text from which the keys of new blocks are derived. */
  readonly key: string
}

export const ResolveConflict = Computation.make({
  name: "resolve-conflict",
  isSmall: ({ document }: ResolveInput) => isSmall(document),
  run: ({ document, conflict, choice, key }): StoredDocument | { readonly refused: string } =>
    Result.match(resolve(parseDocument(document), conflict, choice, keysFrom(key)), {
      onSuccess: serialize,
      onFailure: ({ message }) => ({ refused: message })
    })
})
