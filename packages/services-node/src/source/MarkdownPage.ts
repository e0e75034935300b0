/** A page that is Markdown already: as text, and parsed, so that nobody has to who waits. */
import * as FrontMatter from "@lectern/core/content/markdown/FrontMatter"
import * as Syntax from "@lectern/core/content/markdown/Syntax"
import { markdownPage, type PageOptions, type ReadPage } from "@lectern/core/content/import/SourceReader"
import * as Charset from "./Charset.ts"

export const read = (bytes: Uint8Array, { contentType }: PageOptions): ReadPage =>
  withTree(markdownPage(Syntax.normalise(Charset.decode(bytes, contentType))))

/** The page with the tree of its Markdown. */
export const withTree = (page: ReadPage): ReadPage => {
  const tree = Syntax.parse(FrontMatter.split(Syntax.normalise(page.markdown)).body)
  return tree === undefined ? page : { ...page, tree: Syntax.toJson(tree) }
}
