/**
 * Parses the pages and files in a content source's response: validated, and only known fields. Large responses are
 * parsed in a thread.
 *
 * Limits: 1 MiB of JSON, 1,000 pages in 10 levels, 20 of them computed; 1,000 files. Slugs have the limits of any page,
 * descriptions 300 characters. Titles are put on one line and cut at the limit of any page, those for navigation at 100
 * characters, since programs may send longer ones in otherwise valid responses.
 */
import { Option, Result, Schema, SchemaGetter } from "effect"
import { ContentRef } from "@lectern/document/ContentRef"
import { maxTitle, PageMetadata } from "../content/pages/Page.ts"
import { maxDepth } from "../content/pages/PageTree.ts"
import { isTooDeep } from "../schema/JsonBody.ts"
import { issuesOf } from "../schema/Input.ts"
import * as Text from "../schema/Text.ts"
import * as Computation from "../thread/Computation.ts"
import { ComputedSource, providesPages, providesText } from "./ComputedSource.ts"

export const maxResponseBytes = 1024 * 1024
export const maxPages = 1_000
export const maxFiles = 1_000
const maxComputed = 20
const maxLinkTitle = 100

const smallResponse = 256 * 1024

/** Returns a schema for an optional field that is derived from a text. An empty text counts as absent. */
const fromText = (field: Schema.Codec<string>, read: (text: string) => string = (text) => text) =>
  Schema.optionalKey(Schema.String).pipe(
    Schema.decodeTo(Schema.optionalKey(field), {
      decode: SchemaGetter.transformOptional((optional: Option.Option<string>) =>
        optional.pipe(
          Option.map(read),
          Option.filter((text) => text !== "")
        )
      ),
      encode: SchemaGetter.passthrough()
    })
  )

const slug = fromText(PageMetadata.fields.slug)

const linkTitle = fromText(PageMetadata.fields.linkTitle, (text) => Text.inOneLine(text, maxLinkTitle))

const base = {
  /** Name of the page for links in the documents of the source. */
  id: Schema.optionalKey(
    Text.between(1, 40).check(Schema.isPattern(/^[a-zA-Z0-9]+$/, { message: "Expected letters and digits" }))
  ),
  title: Text.lineFrom(1, maxTitle),
  linkTitle,
  emoji: Schema.optionalKey(PageMetadata.fields.emoji),
  icon: Schema.optionalKey(PageMetadata.fields.icon)
}

export interface ResponsePage {
  readonly type: "document" | "group" | "link" | "computed"
  readonly id?: string
  readonly title: string
  readonly linkTitle?: string
  readonly emoji?: string
  readonly icon?: string
  readonly description?: string
  readonly slug?: string
  readonly target?: ContentRef
  readonly computed?: ComputedSource
  readonly pages?: ReadonlyArray<ResponsePage>
}

const pages = Schema.Array(Schema.suspend((): Schema.Codec<ResponsePage, unknown> => PageSchema))

const PageSchema: Schema.Codec<ResponsePage, unknown> = Schema.Union([
  Schema.Struct({
    ...base,
    type: Schema.Literal("document"),
    description: Schema.optionalKey(Text.atMost(300)),
    slug,
    pages: Schema.optionalKey(pages),
    computed: Schema.optionalKey(
      ComputedSource.check(
        Schema.makeFilter((source) => (providesText(source) ? undefined : "Expected a source that provides a document"))
      )
    )
  }),
  Schema.Struct({
    ...base,
    type: Schema.Literal("group"),
    slug,
    pages
  }),
  Schema.Struct({ ...base, type: Schema.Literal("link"), target: ContentRef }),
  Schema.Struct({
    ...base,
    type: Schema.Literal("computed"),
    computed: ComputedSource.check(
      Schema.makeFilter((source) => (providesPages(source) ? undefined : "Expected a source that provides pages"))
    )
  })
])

const Url = Text.between(1, 2048).check(
  Schema.makeFilter((url: string) =>
    /^https?:$/.test(URL.parse(url)?.protocol ?? "") ? undefined : "Expected a URL of http or https"
  )
)

export const ResponseFile = Schema.Struct({
  id: Schema.optionalKey(Text.between(1, 100)),
  name: Text.between(1, 256),
  contentType: Text.between(1, 256),
  downloadURL: Url,
  size: Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)),
  dimensions: Schema.optionalKey(Schema.Struct({ width: Schema.Finite, height: Schema.Finite }))
})
export type ResponseFile = typeof ResponseFile.Type

const ResponseSchema = Schema.Struct({
  pages: Schema.optionalKey(pages),
  files: Schema.optionalKey(Schema.Array(ResponseFile).check(Schema.isMaxLength(maxFiles)))
})

export interface ResponsePages {
  readonly pages: ReadonlyArray<ResponsePage>
  readonly files: ReadonlyArray<ResponseFile>
}

/** The valid response, or the problem of an invalid one. */
export type CheckedResponse = { readonly response: ResponsePages } | { readonly problem: string }

const decode = Schema.decodeUnknownResult(ResponseSchema)

export const check = (text: string): CheckedResponse => {
  if (isTooDeep(text)) return { problem: "The response is JSON that is nested too deeply" }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: "The response is not JSON" }
  }
  // Sizes are checked first, so that a too large response is rejected without further work.
  const tooMuch = sizeProblem(value)
  if (tooMuch !== undefined) return { problem: tooMuch }
  const decoded = decode(value)
  if (Result.isFailure(decoded)) {
    const [issue] = issuesOf(decoded.failure.issue)
    return { problem: `The response is invalid: ${issue?.path ?? ""}: ${issue?.message ?? "invalid value"}` }
  }
  const { pages = [], files = [] } = decoded.success
  return { response: { pages, files } }
}

const sizeProblem = (value: unknown): string | undefined => {
  let count = 0
  let computedCount = 0
  const pending: Array<readonly [pages: unknown, depth: number]> = [[fieldOf(value, "pages"), 1]]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [pages, depth] = next
    if (!Array.isArray(pages)) continue
    count += pages.length
    if (count > maxPages) return `The response contains more than ${maxPages.toLocaleString("en")} pages`
    if (pages.length > 0 && depth > maxDepth) return `The response nests pages deeper than ${maxDepth} levels`
    for (const page of pages) {
      if (fieldOf(page, "type") === "computed") computedCount++
      pending.push([fieldOf(page, "pages"), depth + 1])
    }
  }
  return computedCount > maxComputed ? `The response contains more than ${maxComputed} computed pages` : undefined
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as { readonly [name: string]: unknown })[name] : undefined

export const CheckPages = Computation.make({
  name: "check-answered-pages",
  isSmall: (text: string) => text.length <= smallResponse,
  run: check
})

/** Yields every page of a response, in depth-first order. */
export function* all(pages: ReadonlyArray<ResponsePage>): Generator<ResponsePage> {
  for (const page of pages) {
    yield page
    yield* all(page.pages ?? [])
  }
}
