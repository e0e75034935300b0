/** Finds the links of a stored document that blocks of integrations replace (see `IntegrationBlocks`). */
import * as Computation from "../../thread/Computation.ts"
import { isSmall, parseDocument, type StoredDocument } from "./StoredDocument.ts"
import {
  type IntegrationBlock,
  type IntegrationLink,
  integrationLinks,
  mayContainIntegrationBlocks
} from "@lectern/document/integration-blocks/IntegrationBlocks"

interface FindLinksInput {
  readonly document: StoredDocument
  readonly blocks: ReadonlyArray<IntegrationBlock>
}

const hasNoBlocks = ({ document, blocks }: FindLinksInput) =>
  !isSmall(document) && !mayContainIntegrationBlocks(document.json, blocks)

export const FindRenderedLinks = Computation.make({
  name: "find-drawn-links",
  isSmall: (input: FindLinksInput) => isSmall(input.document) || hasNoBlocks(input),
  run: (input): ReadonlyArray<IntegrationLink> =>
    hasNoBlocks(input) ? [] : integrationLinks(parseDocument(input.document), input.blocks)
})
