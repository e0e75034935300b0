/**
 * Reads and writes the front matter of a Markdown page. Unknown fields, and fields with an invalid value, are stored
 * verbatim and written back.
 */
import { Result, Schema } from "effect"
import type { ContentRef } from "@lectern/document/Document"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import * as FrontMatterLines from "@lectern/document/markdown/FrontMatterLines"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import { isVariableName } from "../edits/ContentChange.ts"
import * as Text from "../../schema/Text.ts"
import { PageTags } from "../tags/Tag.ts"
import { CoverHeight, defaultLayout, type PageCover, PageLayout, PageMetadata, Variables } from "./Page.ts"

export interface PageFrontMatter {
  readonly metadata: {
    readonly title?: string
    readonly slug?: string
    readonly emoji?: string
    readonly icon?: string
    readonly description?: string
    readonly hidden?: boolean
    readonly noIndex?: boolean
    readonly noRobotsIndex?: boolean
    readonly condition?: string
    readonly layout?: PageLayout
    readonly variables?: Variables
    readonly tags?: PageTags
  }
  /** Unrecognized keys as YAML, or the source lines if the front matter is not valid YAML. */
  readonly verbatim?: string
  /** The YAML error of the front matter, as a sentence; absent if the front matter is valid. */
  readonly problem?: string
}

const recognizedFields = new Map(
  (
    [
      ["title", "title"],
      ["emoji", "emoji"],
      ["icon", "icon"],
      ["description", "description"],
      ["hidden", "hidden"],
      ["noIndex", "noIndex"],
      ["noRobotsIndex", "noRobotsIndex"],
      ["if", "condition"]
    ] as const
  ).map(([name, field]) => [name as string, { field, is: Schema.is(PageMetadata.fields[field]) }])
)

/** Front matter keys and the page fields that they set, without the title. */
export const keys = [
  ...Array.from(recognizedFields).flatMap(([name, { field }]) => (field === "title" ? [] : [[name, field] as const])),
  ["layout", "layout"],
  ["vars", "variables"],
  ["tags", "tags"]
] as const

export const read = (frontMatter: string | undefined): PageFrontMatter => {
  if (frontMatter === undefined) return { metadata: {} }
  const { fields, problem } = FrontMatterLines.read(frontMatter)
  const metadata: Record<string, unknown> = {}
  const rest = new Map<string, unknown>()
  for (const [name, rawValue] of Object.entries(fields)) {
    const value = name === "title" && typeof rawValue === "string" ? Text.inOneLine(rawValue) : rawValue
    const recognizedField = recognizedFields.get(name)
    const layout = name === "layout" ? readLayout(value) : undefined
    if (recognizedField?.is(value)) metadata[recognizedField.field] = value
    else if (layout !== undefined) metadata["layout"] = layout
    else if (name === "vars" && areVariables(value)) metadata["variables"] = value
    else if (name === "tags" && areTags(value)) metadata["tags"] = value
    else rest.set(name, rawValue)
  }
  if (problem !== undefined) return { metadata, ...restOf(frontMatter, fields, rest), problem }
  if (rest.size === 0) return { metadata }
  return { metadata, verbatim: FrontMatter.write(Object.fromEntries(rest)) }
}

/** Returns the lines of unrecognized fields. */
const restOf = (frontMatter: string, fields: object, rest: ReadonlyMap<string, unknown>) => {
  const recognizedNames = Object.keys(fields).filter((name) => !rest.has(name))
  const text = FrontMatterLines.withChangedValues(
    frontMatter,
    new Map(recognizedNames.map((name) => [name, undefined]))
  )
  const parsedFields = FrontMatter.read(text)
  const verbatim = Result.isSuccess(parsedFields) ? FrontMatter.write(parsedFields.success) : text
  return verbatim.trim() === "" ? {} : { verbatim }
}

/** Returns the front matter with the fields of a page, without the title. Undefined if the front matter is empty. */
export const write = (page: PageFrontMatter["metadata"] & { readonly frontMatter?: string }): string | undefined => {
  const fields = new Map(valuesOf(page))
  if (page.frontMatter === undefined) return FrontMatter.write(withoutUndefined(fields)) || undefined
  const source = FrontMatterLines.read(page.frontMatter)
  if (source.problem !== undefined) return FrontMatterLines.withChangedValues(page.frontMatter, fields)
  for (const [name, value] of Object.entries(source.fields)) if (fields.get(name) === undefined) fields.set(name, value)
  return FrontMatter.write(withoutUndefined(fields)) || undefined
}

const withoutUndefined = (fields: ReadonlyMap<string, unknown>) =>
  Object.fromEntries(Array.from(fields).filter(([, value]) => value !== undefined))

/** Returns the front matter keys with their values, without the title; a value is undefined if the page has none. */
export const valuesOf = (page: PageFrontMatter["metadata"]): ReadonlyArray<readonly [name: string, value: unknown]> => [
  ...Array.from(recognizedFields).flatMap(([name, { field }]) =>
    field === "title" ? [] : [[name, page[field]] as const]
  ),
  ["layout", page.layout && writeLayout(page.layout)],
  ["vars", page.variables !== undefined && areVariables(page.variables) ? page.variables : undefined],
  ["tags", page.tags]
]

const isHeight = Schema.is(CoverHeight)

/**
 * Returns the cover of a page. Forms: `cover: path`, or `cover: { light: path, dark: path }`, with the optional keys
 * `coverDark: path`, `coverY` and `coverHeight`. These keys also stay in the verbatim front matter, from which exports
 * write them.
 */
export const cover = (
  frontMatter: string | undefined,
  resolve: (url: string) => ContentRef | undefined
): typeof PageCover.Type | undefined => {
  if (frontMatter === undefined || !frontMatter.includes("cover")) return undefined
  const { cover, coverDark, coverY, coverHeight } = FrontMatterLines.read(frontMatter).fields
  const { light, dark } = isRecord(cover) ? cover : { light: cover, dark: undefined }
  const refOf = (url: unknown): ContentRef | undefined => {
    if (typeof url !== "string" || url === "") return undefined
    return resolve(url) ?? (RefUrl.isAbsolute(url) ? { kind: "url", url } : undefined)
  }
  const [ref, refDark] = [refOf(light), refOf(dark ?? coverDark)]
  if (ref === undefined && refDark === undefined) return undefined
  return {
    ...(ref && { ref }),
    ...(refDark && { refDark }),
    yPos: typeof coverY === "number" && Number.isFinite(coverY) ? coverY : 0,
    ...(isHeight(coverHeight) && { height: coverHeight })
  }
}

const parts = ["cover", "title", "description", "tableOfContents", "outline", "pagination", "metadata"] as const

/**
 * Parts of a page that newer versions of Lectern introduced. They are written only if they are hidden, so that front
 * matter of earlier versions stays unchanged.
 */
const laterParts = ["tags", "actions", "anchors"] as const

const isCoverSize = Schema.is(PageLayout.fields.coverSize)
const isCoverMask = Schema.is(PageLayout.fields.coverMask)

const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isVariables = Schema.is(Variables)

const isTagList = Schema.is(PageTags)

/** Returns true if the value is a list of tags without unknown keys. */
const areTags = (value: unknown): value is PageTags =>
  isTagList(value) &&
  value.every((one) => typeof one === "string" || Object.keys(one).every((key) => key === "tag" || key === "primary"))

/** Returns true if the value is a non-empty record of variables with valid names. */
const areVariables = (value: unknown): value is Variables =>
  isVariables(value) && Object.keys(value).length > 0 && Object.keys(value).every(isVariableName)

/**
 * Parses a layout: `width: wide`, and for each part of the page `visible`. Undefined if the value has unknown keys or
 * invalid values.
 */
const readLayout = (value: unknown): PageLayout | undefined => {
  if (!isRecord(value)) return undefined
  const layout: { -readonly [K in keyof PageLayout]: PageLayout[K] } = { ...defaultLayout }
  for (const [name, part] of Object.entries(value)) {
    if (name === "width" && (part === "default" || part === "wide")) layout.width = part
    else {
      const partName = [...parts, ...laterParts].find((one) => one === name)
      if (partName === undefined || !isRecord(part)) return undefined
      for (const [key, setting] of Object.entries(part)) {
        if (key === "visible" && typeof setting === "boolean") layout[partName] = setting
        else if (partName === "cover" && key === "size" && isCoverSize(setting)) layout.coverSize = setting
        else if (partName === "cover" && key === "mask" && isCoverMask(setting)) layout.coverMask = setting
        else return undefined
      }
    }
  }
  return layout
}

const writeLayout = (layout: PageLayout): unknown => ({
  width: layout.width,
  ...Object.fromEntries(
    parts.map((part) => [
      part,
      part === "cover"
        ? {
            visible: layout.cover,
            size: layout.coverSize,
            ...(layout.coverMask !== defaultLayout.coverMask && { mask: layout.coverMask })
          }
        : { visible: layout[part] }
    ])
  ),
  ...Object.fromEntries(laterParts.flatMap((part) => (layout[part] ? [] : [[part, { visible: false }]])))
})
