/** Finds the links of a stored document that blocks of integrations replace (see `BlockOverlay`). */
import * as Computation from "../../thread/Computation.ts"
import { isSmall, open, type StoredDocument } from "./StoredDocument.ts"
import { type DrawnBlock, type DrawnLink, linksIn, mayDraw } from "@lectern/document/overlay/BlockOverlay"

interface Input {
  readonly document: StoredDocument
  readonly blocks: ReadonlyArray<DrawnBlock>
}

const isIdle = ({ document, blocks }: Input) => !isSmall(document) && !mayDraw(document.json, blocks)

export const FindRenderedLinks = Computation.make({
  name: "find-drawn-links",
  isSmall: (input: Input) => isSmall(input.document) || isIdle(input),
  run: (input): ReadonlyArray<DrawnLink> => (isIdle(input) ? [] : linksIn(open(input.document), input.blocks))
})
