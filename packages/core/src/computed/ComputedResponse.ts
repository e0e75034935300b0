/**
 * The last valid response of an integration's content source: pages, or a document. The response is used until a newer
 * one is stored, if the integration is active on the space.
 *
 * Limits: 2,000 responses of a space; a further response replaces the oldest.
 */
import { Schema } from "effect"
import { Timestamp } from "../schema/Text.ts"
import { ObjectHash } from "../storage/ObjectStore.ts"
import * as Table from "../storage/Table.ts"

export const maxResponses = 2_000

/** Kind of the requested response. */
export type ResponseKind = "pages" | "document"

export const ComputedResponseRow = Schema.Struct({
  space: Schema.String,
  /** Hash of the request: the kind, the source, its props and dependencies. */
  question: Schema.String,
  kind: Schema.Literals(["pages", "document"]),
  /** Hash of all inputs that determine the response: the program, its configuration and the dependencies. */
  state: Schema.String,
  answer: ObjectHash,
  answeredAt: Timestamp
})
export type ComputedResponseRow = typeof ComputedResponseRow.Type

export const ComputedResponseTable = Table.make("computedAnswer", ComputedResponseRow, {
  key: ["space", "question"],
  indexes: [["space", "answeredAt"]]
})
