/** Pushes of folders into change requests, and exports of folders. */
import { PushRequest, PushResult, UploadedPart } from "@lectern/exchange/push/Push"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { spaceId } from "./Parameters.ts"

const params = { spaceId }
const tar = { contentType: "application/x-tar" } as const

export const PushesApi = HttpApiGroup.make("pushes")
  .annotateMerge(
    OpenApi.annotations({
      title: "Pushes and exports of folders",
      description: "Folders of Markdown that become a change request, and spaces as folders of Markdown."
    })
  )
  .add(
    Operation.post("push", "/spaces/:spaceId/push", {
      description:
        "Pushes a folder into the change request of a name, which is created if it does not exist. Returns the files to upload first, if the space lacks any.",
      scopes: ["space:content:write"],
      params,
      payload: PushRequest,
      success: PushResult
    }),
    Operation.post("upload", "/spaces/:spaceId/push/files", {
      description: "Uploads files for the next push, as a tar archive of at most 21 MiB. Their paths are ignored.",
      scopes: ["space:content:write"],
      params,
      payload: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array(tar)),
      success: UploadedPart
    }),
    Operation.get("export", "/spaces/:spaceId/content/export", {
      description: "Returns a revision of a space as a tar archive of the folder that imports and pushes read.",
      scopes: ["space:content:read"],
      params,
      query: {
        revision: Schema.optionalKey(Schema.String).annotateKey({
          description: "The id of a revision of the space or of its change requests. Default: the main revision."
        })
      },
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array(tar))
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
