/** The dialects that texts are parsed with. If two dialects define the same syntax, the first one counts. */
import type { AttributeListSyntax, ContainerSyntax, Dialect } from "./Dialect.ts"
import { docusaurus } from "./Docusaurus.ts"
import { gitHub } from "./GitHub.ts"
import { hugo } from "./Hugo.ts"
import { jekyll } from "./Jekyll.ts"
import { mkDocs } from "./MkDocs.ts"
import { obsidian } from "./Obsidian.ts"

export const dialects: ReadonlyArray<Dialect> = [gitHub, obsidian, docusaurus, jekyll, mkDocs, hugo]

export const containers: ReadonlyArray<ContainerSyntax> = dialects.flatMap(({ containers = [] }) => containers)

export const attributeLists: ReadonlyArray<AttributeListSyntax> = dialects.flatMap(
  ({ attributeLists = [] }) => attributeLists
)

/** Syntaxes by the code of a character that can start them. */
export const containersByCode: ReadonlyArray<ReadonlyArray<ContainerSyntax> | undefined> = Array.from(
  { length: 128 },
  (_, code) => {
    const syntaxes = containers.filter(({ starts }) => starts.includes(String.fromCharCode(code)))
    return syntaxes.length === 0 ? undefined : syntaxes
  }
)

export const headingBraces: ReadonlyArray<string> = dialects.flatMap(({ headingBraces = [] }) => headingBraces)

/** Returns the hint style of a name in a blockquote. */
export const quoteStyle = (name: string): string | undefined =>
  dialects.find(({ quoteStyles }) => quoteStyles?.has(name))?.quoteStyles?.get(name)

/** Returns the front matter keys for a field. */
export const frontMatterKeys = (field: keyof NonNullable<Dialect["frontMatter"]>): ReadonlyArray<string> =>
  dialects.flatMap(({ frontMatter }) => frontMatter?.[field] ?? [])
