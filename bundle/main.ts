/** `pnpm build:server` and `pnpm build:catalogue`: the bundle of the command, and the integrations that come with it. */
switch (process.argv[2]) {
  case "server": {
    const { bundleServer } = await import("./Server.ts")
    console.log(await bundleServer())
    break
  }
  case "catalogue": {
    const { bundleCatalogue } = await import("./Catalogue.ts")
    await bundleCatalogue()
  }
}
