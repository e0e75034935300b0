/** Finds the links of a stored document that blocks of integrations replace (see `IntegrationBlocks`). */
import * as Computation from "../../thread/Computation.ts"
import { isSmall, open, type StoredDocument } from "./StoredDocument.ts"
import {
  type IntegrationBlock,
  type IntegrationLink,
  integrationLinks,
  mayContainIntegrationBlocks
} from "@lectern/document/integration-blocks/IntegrationBlocks"

interface Input {
  readonly document: StoredDocument
  readonly blocks: ReadonlyArray<IntegrationBlock>
}

const isIdle = ({ document, blocks }: Input) =>
  !isSmall(document) && !mayContainIntegrationBlocks(document.json, blocks)

export const FindRenderedLinks = Computation.make({
  name: "find-drawn-links",
  isSmall: (input: Input) => isSmall(input.document) || isIdle(input),
  run: (input): ReadonlyArray<IntegrationLink> =>
    isIdle(input) ? [] : integrationLinks(open(input.document), input.blocks)
})
