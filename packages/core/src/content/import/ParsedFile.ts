/** What a file of Markdown is parsed to ahead of the import that wants it (see `SyntaxAhead`). */
import * as Computation from "../../thread/Computation.ts"
import * as FrontMatter from "../markdown/FrontMatter.ts"
import * as Syntax from "../markdown/Syntax.ts"
import type { ParsedAhead } from "./SyntaxAhead.ts"

const decoder = new TextDecoder()

/** Undefined where the text is hostile, which is found out in no time wherever it is read. */
export const parse = (bytes: Uint8Array): ParsedAhead | undefined => {
  const { body } = FrontMatter.split(Syntax.normalise(decoder.decode(bytes).replaceAll("\u0000", "\uFFFD")))
  const root = Syntax.parse(body)
  return root && { body, tree: Syntax.toJson(root) }
}

/** Where there are threads, all pages of an import go there: parsing is most of its work. */
export const ParseFile = Computation.make({ name: "parse-file", timeout: 60_000, run: parse })
