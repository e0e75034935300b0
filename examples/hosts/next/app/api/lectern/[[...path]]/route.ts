/** The API at `/api/lectern` of a Next.js application. */
import { apiHandler } from "@lectern/http/fetch"
import { toNextHandler } from "@lectern/http/next"
import { help } from "../../../../lectern.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandler(async () =>
  apiHandler((await help()).lectern, { at: "/api/lectern" })
)
