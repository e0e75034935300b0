/** Checks that a script can be run at all: that it is JavaScript, a module or a classic script. */
import { parse } from "acorn"
import * as Computation from "../thread/Computation.ts"

/** In characters: what is read in a few milliseconds. */
const small = 32 * 1024

export interface Script {
  readonly text: string
  /** A classic script, or a module. */
  readonly runtime: "v1" | "v2"
}

/** Objection to a script, with its line; undefined where there is none. */
export const problem = ({ text, runtime }: Script): string | undefined => {
  try {
    parse(text, { ecmaVersion: "latest", sourceType: runtime === "v2" ? "module" : "script", allowHashBang: true })
    return undefined
  } catch (error) {
    // Deeper than the stack is deep counts as no script, too.
    return `The script can't be read: ${error instanceof Error ? error.message : "it is none"}`
  }
}

export const CheckScript = Computation.make({
  name: "check-script",
  isSmall: ({ text }: Script) => text.length <= small,
  run: problem
})
