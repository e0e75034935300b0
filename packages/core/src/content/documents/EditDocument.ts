/** Edits of single blocks of a document: reverting blocks (see `BlockRevert`), and resolving a conflict. */
import { Result } from "effect"
import { keysFrom } from "../../identity/Ids.ts"
import * as Computation from "../../thread/Computation.ts"
import { revertBlocks } from "@lectern/document/BlockRevert"
import { type BlockConflict, type Keep, resolve } from "@lectern/document/merge/DocumentMerge"
import { fold, isSmall, open, type StoredDocument } from "./StoredDocument.ts"

interface Reverting {
  readonly now: StoredDocument
  readonly before: StoredDocument
  readonly keys: ReadonlyArray<string>
}

export const RevertBlocks = Computation.make({
  name: "revert-blocks",
  isSmall: ({ now, before }: Reverting) => isSmall(now) && isSmall(before),
  run: ({ now, before, keys }) => fold(revertBlocks(open(now), open(before), new Set(keys)))
})

interface Resolving {
  readonly document: StoredDocument
  readonly conflict: BlockConflict
  readonly keep: Keep
  /** Text from which the keys of new blocks are derived. */
  readonly key: string
}

export const ResolveConflict = Computation.make({
  name: "resolve-conflict",
  isSmall: ({ document }: Resolving) => isSmall(document),
  run: ({ document, conflict, keep, key }): StoredDocument | { readonly refused: string } =>
    Result.match(resolve(open(document), conflict, keep, keysFrom(key)), {
      onSuccess: fold,
      onFailure: ({ message }) => ({ refused: message })
    })
})
