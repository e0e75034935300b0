/** `pnpm build:server`: prints where the bundle of the command stands. */
import { bundleServer } from "./Server.ts"

console.log(await bundleServer())
