/** Lists the service that accepts and serves uploaded files, and the job that removes unused ones. */
import { offer, type Services } from "../Services.ts"
import { removeUnusedUploads } from "./UploadRetention.ts"
import { Uploads } from "./Uploads.ts"

export const uploadServices = {
  jobs: [removeUnusedUploads],
  offered: {
    "organizations.uploads": offer(Uploads, "outsideTransaction")
  }
} as const satisfies Services
