/**
 * The source style of a page: the text of the file that the page was imported from, and the texts of blocks that were
 * written later. An export reuses the parts that are still valid (see `export/PageTextUpdate`), so that unedited lines stay
 * unchanged in Git.
 *
 * The source is stored separately from the document. So pages with equal content are equal in any style, and reviews,
 * merges and responses ignore the style. The content of the source is determined by parsing it again, so the source may
 * be older than the document.
 *
 * A file that is not valid UTF-8 or contains NUL characters is stored with its bytes. An export writes these bytes as
 * long as it would write the same text.
 */
import { Result } from "effect"
import { Base64 } from "effect/encoding"

export interface SourceText {
  /** Text of the imported file. Absent if the page was never imported. */
  readonly text?: string
  /** Base64 of the bytes of the file, if encoding the text results in different bytes. */
  readonly bytes?: string
  /**
   * Texts of blocks that were edited after the import and differ from printed Markdown (see `SourceStyles`), latest
   * first.
   */
  readonly styled?: ReadonlyArray<string>
}

/** Returns the text of a file, including its byte order mark. */
export const fromBytes = (bytes: Uint8Array): SourceText & { readonly text: string } => {
  try {
    const text = strictDecoder.decode(bytes)
    if (!text.includes("\u0000")) return { text }
  } catch {
    // The bytes are not valid UTF-8.
  }
  return { text: lossyDecoder.decode(bytes).replaceAll("\u0000", "\uFFFD"), bytes: Base64.encode(bytes) }
}

/** Returns the bytes for the text of a file: the original bytes if the text is unchanged. */
export const bytesOf = (text: string, before: SourceText | undefined): Uint8Array =>
  before?.bytes !== undefined && before.text === text
    ? Result.getOrThrow(Base64.decode(before.bytes))
    : encoder.encode(text)

const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const lossyDecoder = new TextDecoder("utf-8", { ignoreBOM: true })
const encoder = new TextEncoder()
