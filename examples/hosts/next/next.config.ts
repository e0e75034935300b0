/** Settings of the Next.js application. Lectern is loaded by Node.js, not bundled. */
import type { NextConfig } from "next"

const config: NextConfig = {
  serverExternalPackages: [
    "@lectern/adapter-sqlite",
    "@lectern/core",
    "@lectern/exchange",
    "@lectern/http",
    "@lectern/site"
  ]
}

export default config
