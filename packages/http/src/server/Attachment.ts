/** A file of a space as a response (see `FileResponse` of the core). An error response stays unchanged. */
import type { FileEntry } from "@lectern/core/content/files/File"
import * as FileResponse from "@lectern/core/content/files/FileResponse"
import { HttpServerResponse } from "effect/http"

export const attachment = (
  response: HttpServerResponse.HttpServerResponse,
  file: Pick<FileEntry, "name" | "contentType">,
  options: { readonly isPublic?: boolean } = {}
): HttpServerResponse.HttpServerResponse =>
  response.status >= 400 ? response : HttpServerResponse.setHeaders(response, FileResponse.headersOf(file, options))
