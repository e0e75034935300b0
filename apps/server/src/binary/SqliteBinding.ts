/** Finds the native part of SQLite inside the binary: it takes the place of `lib/binding.js` of better-sqlite3. */
import { inside } from "./Inside.ts"

export const getBinding = (): object => inside()!.sqlite()
