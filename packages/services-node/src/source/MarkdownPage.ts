/** A page that is Markdown already: as text, and parsed, so that nobody has to who waits. */
import * as FrontMatter from "@lectern/core/content/markdown/FrontMatter"
import * as Syntax from "@lectern/core/content/markdown/Syntax"
import { markdownPage, type PageOptions, type ReadPage } from "@lectern/core/content/import/SourceReader"
import * as Charset from "./Charset.ts"

export const read = (bytes: Uint8Array, { contentType }: PageOptions): ReadPage => {
  const markdown = Syntax.normalise(Charset.decode(bytes, contentType))
  const root = rootOf(markdown)
  return withRoot(
    markdownPage(markdown, () => root),
    root
  )
}

/** The page with the tree of its Markdown. */
export const withTree = (page: ReadPage): ReadPage => withRoot(page, rootOf(Syntax.normalise(page.markdown)))

const withRoot = (page: ReadPage, root: ReturnType<typeof rootOf>): ReadPage =>
  root === undefined ? page : { ...page, tree: Syntax.toJson(root) }

const rootOf = (markdown: string) => Syntax.parse(FrontMatter.split(markdown).body)
