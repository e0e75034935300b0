/**
 * Draws pictures for one PDF in a thread, which starts with the first picture (see `RenderedFile`). A picture that fails
 * or exceeds a limit ends the thread, and the next picture starts another.
 *
 * Limits: 10 seconds for a picture, 4 MiB of SVG, 256 MiB of memory for the thread and 256 MiB for WebAssembly. After 4
 * failures no more pictures are drawn for this PDF.
 */
import { type Duration, Effect, type Scope } from "effect"
import type { BookFile } from "@lectern/core/pdf/PdfWriter"
import * as ThreadOnDemand from "../thread/ThreadOnDemand.ts"
import type { FileResponse } from "./PdfMessages.ts"

export interface PictureFile {
  readonly contentType: string
  readonly bytes: Uint8Array
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface RenderedFile {
  readonly png: Uint8Array
  /** Stated display size of the file, in pixels. */
  readonly size: Size
}

const renderedTypes: ReadonlySet<string> = new Set(["image/svg+xml", "image/webp", "image/gif"])
const maxVectorBytes = 4 * 1024 * 1024

const maxFailed = 4
const maxMemory = 256

/** Returns a function that converts a file to a form that a PDF can embed. */
export const renderedFiles = (
  timeout: Duration.Input
): Effect.Effect<(file: BookFile) => Effect.Effect<FileResponse>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const draw = yield* ThreadOnDemand.make<PictureFile, RenderedFile>(import.meta.url, "FileWorker", { maxMemory })
    let failureCount = 0

    return Effect.fnUntraced(function* (file: BookFile) {
      const { name, contentType, size, bytes } = file
      if (bytes === undefined || !renderedTypes.has(contentType)) return file
      const fileDetails = { name, contentType, size }
      if (contentType === "image/svg+xml" && bytes.length > maxVectorBytes) {
        return { ...fileDetails, problem: "tooLarge" as const }
      }
      if (failureCount >= maxFailed) return { ...fileDetails, problem: "othersUndrawn" as const }
      return yield* draw({ contentType, bytes }, timeout).pipe(
        Effect.map(({ png, size: displayed }): FileResponse => ({
          ...fileDetails,
          contentType: "image/png",
          bytes: png,
          displayed
        })),
        Effect.catchTag("ThreadLost", () => {
          failureCount++
          return Effect.succeed({ ...fileDetails, problem: "undrawn" as const })
        })
      )
    })
  })
