/** Uploads of files to an organization, for the look of its sites and for imports. */
import { Signed } from "@lectern/core/identity/SignedUrl"
import { StartedUpload, StoredFile, UploadStart } from "@lectern/core/upload/Upload"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { RangeNotSatisfiable } from "./ErrorBody.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { fileHash, organizationId } from "./Parameters.ts"

const storage = "/orgs/:organizationId/storage"

export const UploadsApi = HttpApiGroup.make("uploads")
  .annotateMerge(
    OpenApi.annotations({ title: "Uploads", description: "Uploads of fonts, images and files to import." })
  )
  .add(
    Operation.post("begin", `${storage}/upload`, {
      description: "Starts the upload of a file. Returns the upload URL and the key of the file.",
      scopes: ["organization:write", "site:metadata:write", "space:content:write"],
      params: { organizationId },
      payload: UploadStart,
      success: StartedUpload.pipe(HttpApiSchema.status(201))
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** Bytes of uploaded files. Writing needs a signed URL, reading the hash. */
export const UploadedFilesApi = HttpApiGroup.make("uploadedFiles")
  .annotateMerge(
    OpenApi.annotations({
      title: "Uploaded files",
      description: "Uploaded by signed URL, readable by anyone with the hash."
    })
  )
  .add(
    Operation.put("put", `${storage}/uploads/:uploadId`, {
      description: "Uploads the bytes of a file. Requires the signed URL of the upload.",
      scopes: [],
      params: { organizationId, uploadId: Schema.String.annotateKey({ description: "The key of the file." }) },
      query: Signed.fields,
      payload: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array()),
      success: StoredFile
    }),
    Operation.get("get", `${storage}/files/:fileHash`, {
      description: "Returns an uploaded font or image.",
      scopes: [],
      conditions: "ranges",
      params: { organizationId, fileHash },
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array()),
      error: RangeNotSatisfiable
    })
  )
  .middleware(Failures)
