/** Files that are uploaded to an organization, for its sites to look by and for imports. */
import { Signed } from "@lectern/core/identity/SignedUrl"
import { BegunUpload, StoredFile, UploadBegin } from "@lectern/core/upload/Upload"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { RangeNotSatisfiable } from "./ErrorBody.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { fileHash, organizationId } from "./Parameters.ts"

const storage = "/orgs/:organizationId/storage"

export const UploadsApi = HttpApiGroup.make("uploads")
  .annotateMerge(
    OpenApi.annotations({ title: "Uploads", description: "Fonts and pictures for sites, and files to import." })
  )
  .add(
    Operation.post("begin", `${storage}/upload`, {
      description: "Announces a file, and answers the URL to put its bytes to and the key that it is used by.",
      scopes: ["organization:write", "site:metadata:write", "space:content:write"],
      params: { organizationId },
      payload: UploadBegin,
      success: BegunUpload.pipe(HttpApiSchema.status(201))
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** Bytes of uploaded files, for whoever holds a signed URL or the hash. */
export const UploadedFilesApi = HttpApiGroup.make("uploadedFiles")
  .annotateMerge(
    OpenApi.annotations({
      title: "Uploaded files",
      description: "Their bytes: put by a signed address, read by anyone."
    })
  )
  .add(
    Operation.put("put", `${storage}/uploads/:uploadId`, {
      description: "Takes the bytes of a file that was announced, from whoever has the URL that is signed for it.",
      scopes: [],
      params: { organizationId, uploadId: Schema.String.annotateKey({ description: "The key of the file." }) },
      query: Signed.fields,
      payload: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array()),
      success: StoredFile
    }),
    Operation.get("get", `${storage}/files/:fileHash`, {
      description: "Sends an uploaded font or picture, to anyone.",
      scopes: [],
      conditions: "ranges",
      params: { organizationId, fileHash },
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array()),
      error: RangeNotSatisfiable
    })
  )
  .middleware(Failures)
