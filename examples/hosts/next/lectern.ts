/** Lectern in a Next.js application: one instance, also while `next dev` reloads modules. */
import { openHelp } from "../help.ts"

const shared = globalThis as { help?: ReturnType<typeof openHelp> }

export const help = () => (shared.help ??= openHelp())
