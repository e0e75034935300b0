/** `pnpm build:server` and `pnpm build:catalogue`: the bundle of the command, and the integrations that come with it. */

/** Tells whether the tools to build with are not installed, as by `pnpm install --prod`. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND"

switch (process.argv[2]) {
  case "server": {
    const { bundleServer } = await import("./Server.ts")
    console.log(await bundleServer())
    break
  }
  case "catalogue": {
    const { bundleCatalogue } = await import("./Catalogue.ts")
    await bundleCatalogue().catch((error: unknown) => {
      // A server starts without it, too, with what was built before if there is something.
      if (!isMissing(error)) throw error
      console.warn(`The integrations that come with Lectern are not built: ${String(error)}`)
    })
  }
}
