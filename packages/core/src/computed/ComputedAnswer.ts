/**
 * The last usable answer of an integration's content source: the pages that it gives, or a document. It is
 * shown until there is a newer one, as long as the integration is at work on the space.
 *
 * Limits: 2,000 answers of a space; the oldest goes for a new one.
 */
import { Schema } from "effect"
import { Timestamp } from "../schema/Text.ts"
import { ObjectHash } from "../storage/ObjectStore.ts"
import * as Table from "../storage/Table.ts"

export const maxAnswers = 2_000

/** Kind of answer that is asked for. */
export type AnswerKind = "pages" | "document"

export const ComputedAnswerRow = Schema.Struct({
  space: Schema.String,
  /** Follows from what was asked for: the kind, the source, its props and dependencies. */
  question: Schema.String,
  kind: Schema.Literals(["pages", "document"]),
  /** Of what it was made: the same as long as the program, its configuration and the dependencies are. */
  state: Schema.String,
  answer: ObjectHash,
  answeredAt: Timestamp
})
export type ComputedAnswerRow = typeof ComputedAnswerRow.Type

export const ComputedAnswerTable = Table.make("computedAnswer", ComputedAnswerRow, {
  key: ["space", "question"],
  indexes: [["space", "answeredAt"]]
})
