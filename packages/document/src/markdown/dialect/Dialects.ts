/** The dialects that texts are parsed with. If two dialects define the same syntax, the first one counts. */
import type { Dialect } from "./Dialect.ts"
import { docusaurus } from "./Docusaurus.ts"
import { fern } from "./Fern.ts"
import { gitHub } from "./GitHub.ts"
import { hostedService } from "./HostedService.ts"
import { hugo } from "./Hugo.ts"
import { jekyll } from "./Jekyll.ts"
import { mintlify } from "./Mintlify.ts"
import { mkDocs } from "./MkDocs.ts"
import { nextra } from "./Nextra.ts"
import { obsidian } from "./Obsidian.ts"
import { starlight } from "./Starlight.ts"
import { vitePress } from "./VitePress.ts"

export const dialects: ReadonlyArray<Dialect> = [
  hostedService,
  gitHub,
  obsidian,
  docusaurus,
  jekyll,
  mkDocs,
  hugo,
  mintlify,
  starlight,
  nextra,
  fern,
  vitePress
]

const all = <A>(fieldOf: (dialect: Dialect) => ReadonlyArray<A> | undefined): ReadonlyArray<A> =>
  dialects.flatMap((dialect) => fieldOf(dialect) ?? [])

export const containers = all(({ containers }) => containers)
export const tags = all(({ tags }) => tags)
export const inlines = all(({ inlines }) => inlines)
export const attributeLists = all(({ attributeLists }) => attributeLists && [attributeLists])
export const headingBraces = all(({ headingBraces }) => headingBraces)
/** Forms of components, shortcodes and directives by name. */
export const componentForms = new Map(dialects.toReversed().flatMap(({ components }) => [...(components ?? [])]))
export const shortcodeForms = new Map(dialects.toReversed().flatMap(({ shortcodes }) => [...(shortcodes ?? [])]))
export const directiveForms = new Map(dialects.toReversed().flatMap(({ directives }) => [...(directives ?? [])]))
export const hasWikilinks = dialects.some(({ hasWikilinks }) => hasWikilinks === true)
const tagLines = tags.flatMap(({ line }) => line ?? [])
/** Syntaxes whose opening is escaped in printed text. */
export const escapedInlines = inlines.filter(({ opening }) => opening !== undefined)

/** Returns the syntaxes by the code of a character that can start them. */
const byCode = <S extends { readonly starts: string }>(
  syntaxes: ReadonlyArray<S>
): ReadonlyArray<ReadonlyArray<S> | undefined> =>
  Array.from({ length: 128 }, (_, code) => {
    const matching = syntaxes.filter(({ starts }) => starts.includes(String.fromCharCode(code)))
    return matching.length === 0 ? undefined : matching
  })

export const containersByCode = byCode(containers)
export const tagLinesByCode = byCode(tagLines)
export const inlinesByCode = byCode(inlines)
/** Syntaxes that printed text could start: of blocks at the start of a line, and of inlines anywhere. */
export const blockOpenings = byCode([...containers, ...tagLines])
export const inlineOpenings = byCode(escapedInlines)

/** Returns the hint style of a name in a blockquote. */
export const quoteStyle = (name: string): string | undefined =>
  dialects.find(({ quoteStyles }) => quoteStyles?.has(name))?.quoteStyles?.get(name)

/** Returns the front matter keys for a field. */
export const frontMatterKeys = (field: keyof NonNullable<Dialect["frontMatter"]>): ReadonlyArray<string> =>
  dialects.flatMap(({ frontMatter }) => frontMatter?.[field] ?? [])
