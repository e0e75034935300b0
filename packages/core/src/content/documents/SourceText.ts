/**
 * The form that people gave a page: the text of the file that it was imported from, and of blocks that were written
 * since. An export gives back what of it still holds (see `export/KeptText`), so nobody finds lines changed in Git
 * that nobody changed. It stands beside the document: pages that say the same are the same however they are
 * written, and review, merging and answers know nothing of it. What it means is found out by reading it anew, so it
 * may be older than the document.
 *
 * A file that is no text in UTF-8, or has NUL characters, is kept with its bytes: an export gives these back as long as
 * it would give back its text.
 */
import { Result } from "effect"
import { Base64 } from "effect/encoding"

export interface SourceText {
  /** Absent for a page that was never imported. */
  readonly text?: string
  /** Base64 of the bytes that were read as this text, where writing it gives others. */
  readonly bytes?: string
  /** Blocks that were written in a form of their own since then (see `StyledBlocks`), the last first. */
  readonly styled?: ReadonlyArray<string>
}

/** A file's text with its byte order mark. */
export const of = (bytes: Uint8Array): SourceText & { readonly text: string } => {
  try {
    const text = exact.decode(bytes)
    if (!text.includes("\u0000")) return { text }
  } catch {
    // It is no UTF-8.
  }
  return { text: lossy.decode(bytes).replaceAll("\u0000", "\uFFFD"), bytes: Base64.encode(bytes) }
}

/** The bytes of a file that says a text, those that it had where it is the same. */
export const bytesOf = (text: string, before: SourceText | undefined): Uint8Array =>
  before?.bytes !== undefined && before.text === text
    ? Result.getOrThrow(Base64.decode(before.bytes))
    : encoder.encode(text)

const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const lossy = new TextDecoder("utf-8", { ignoreBOM: true })
const encoder = new TextEncoder()
