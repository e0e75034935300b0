import { assert, describe, it } from "@effect/vitest"
import { mistakesIn } from "../Comments.ts"

const messages = (text: string) => mistakesIn("folder/File.ts", text).map(({ line, message }) => `${line}: ${message}`)

describe("Comments", () => {
  it("are refused if they start with a pronoun, or have a word without a noun", () =>
    assert.deepStrictEqual(
      messages(`/** Whoever asks. */
const a = 1
// Read behind
// the last row.
const b = 2
/** Those that are deleted. */
const c = 3
`),
      [
        `1: the comment starts with "Whoever": write the role: the caller, the client, a member …`,
        `1: the comment has "Whoever": write the role: the caller, the client, a member …`,
        `1: the comment has "asks": write "request", "query", "call", "require"`,
        `3: the comment has "behind": write "after", or "in the background"`,
        `6: the comment starts with "Those": write the noun that it stands for`
      ]
    ))

  it("may quote refused words, address proxies, and guide tools", () =>
    assert.deepStrictEqual(
      messages(`/** True if \`asked\` is set, or the text says "whoever". */
const a = 1
/** Client address of a server behind a proxy. */
const b = 2
// oxlint-disable-next-line what
const c = "behind // those"
`),
      []
    ))
})

describe("Names", () => {
  it("are refused by their parts, and by the whole word outside of functions", () =>
    assert.deepStrictEqual(
      messages(`export interface HelpAsked {
  readonly found: number
  readonly isFound: boolean
}
export const none = (known: number) => {
  const found = known
  const isKept = found
  return isKept
}
`),
      [
        `1: the name "HelpAsked" is not plain: use request, query`,
        `2: the name "found" is not plain: use result, claimed, supplied, requested`,
        `5: the name "none" is not plain: use a name with a noun`,
        `7: the name "isKept" is not plain: use cached, stored, retained`
      ]
    ))

  it("of destructured properties count at the declaration of the property", () =>
    assert.deepStrictEqual(
      messages("export const run = ({ asked, gone: count }: Row, [kept]: Pair) => asked + count\n"),
      [`1: the name "kept" is not plain: use cached, stored, retained`]
    ))
})
