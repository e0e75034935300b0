/** A site at `/help` of a Next.js application. */
import { toNextHandler } from "@lectern/http/next"
import { siteHandler } from "@lectern/site/fetch"
import { help } from "../../../lectern.ts"

export const { GET, HEAD, POST } = toNextHandler(async () => {
  const { lectern, site } = await help()
  return siteHandler(lectern, { site, at: "/help" })
})
