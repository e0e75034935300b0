import { Uploads } from "@lectern/core/upload/Uploads"
import { Effect } from "effect"
import { attachment } from "./Attachment.ts"
import { group } from "./Group.ts"
import { rangeResponse } from "./Ranges.ts"

export const UploadsHttp = group(
  "uploads",
  Effect.fnUntraced(function* (handlers) {
    const uploads = yield* Uploads
    return handlers({ begin: ({ params, payload }) => uploads.begin(params.organizationId, payload) })
  })
)

export const UploadedFilesHttp = group(
  "uploadedFiles",
  Effect.fnUntraced(function* (handlers) {
    const uploads = yield* Uploads
    return handlers({
      put: ({ params, query, payload }) =>
        uploads.put({ organization: params.organizationId, upload: params.uploadId, ...query }, payload),
      get: Effect.fnUntraced(function* ({ params }) {
        const { file, bytes } = yield* uploads.file(params.organizationId, params.fileHash)
        return attachment(yield* rangeResponse(file.blob, bytes), file, { isPublic: true })
      })
    })
  })
)
