/** Loads the native addon of SQLite from the binary. Replaces `lib/binding.js` of better-sqlite3 there. */
import { currentBinary } from "./CurrentBinary.ts"

export const getBinding = (): object => currentBinary()!.sqlite()
