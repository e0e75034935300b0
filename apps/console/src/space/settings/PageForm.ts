/**
 * The form of the settings of a page, and the change that it makes: only fields that differ. The title and the text of
 * the page are edited on the page itself, too.
 */
import { emojiCharacters } from "@lectern/document/EmojiCode"
import type { ApiIssue } from "../../api/Api.ts"
import type { DocumentPage } from "../../api/Resources.ts"
import type { PageFields } from "../../api/Writes.ts"

/** Names of the texts of the form. */
export const textFields = ["title", "description", "slug", "linkTitle", "emoji", "icon", "condition"] as const

/** Names of the switches about who sees the page. */
export const flagFields = ["hidden", "noIndex", "noRobotsIndex"] as const

export interface FormVariable {
  readonly name: string
  readonly value: string
}

export type Cover = NonNullable<DocumentPage["cover"]>

export type PageForm = { readonly [_ in (typeof textFields)[number]]: string } & {
  readonly [_ in (typeof flagFields)[number]]: boolean
} & {
  readonly layout: DocumentPage["layout"]
  readonly cover: Cover | undefined
  readonly variables: ReadonlyArray<FormVariable>
  /** Slugs of the tags. */
  readonly tags: ReadonlyArray<string>
}

export const formOf = (page: DocumentPage): PageForm => ({
  title: page.title,
  description: page.description ?? "",
  slug: page.slug,
  linkTitle: page.linkTitle ?? "",
  emoji: emojiCharacters(page.emoji ?? ""),
  icon: page.icon ?? "",
  condition: page.condition ?? "",
  hidden: page.hidden ?? false,
  noIndex: page.noIndex ?? false,
  noRobotsIndex: page.noRobotsIndex ?? false,
  layout: page.layout,
  cover: page.cover,
  variables: Object.entries(page.variables ?? {}).map(([name, value]) => ({ name, value })),
  tags: page.tags.map(({ tag }) => tag.tag)
})

/** Returns the value that a text is in front matter: a number or a boolean if it is written as one. */
const valueOf = (text: string): string | number | boolean => {
  if (text === "true" || text === "false") return text === "true"
  const number = Number(text)
  return text !== "" && Number.isFinite(number) && String(number) === text ? number : text
}

/**
 * Returns the value of a variable. Responses have texts only, and the server keeps the value of an unchanged text: so
 * the text "5" does not become a number. A variable that was surely a text stays one.
 */
const variableValue = (text: string, before: string | undefined): string | number | boolean =>
  before === text || (before !== undefined && typeof valueOf(before) === "string") ? text : valueOf(text)

const ownText = (variables: DocumentPage["variables"], name: string): string | undefined =>
  variables !== undefined && Object.hasOwn(variables, name) ? variables[name] : undefined

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Returns the fields that the form changes. Undefined if it changes nothing. */
export const changedFields = (page: DocumentPage, form: PageForm): PageFields | undefined => {
  const before = formOf(page)
  const fields: Record<string, unknown> = {}
  for (const name of textFields) {
    const value = form[name].trim()
    if (value !== before[name]) fields[name] = value === "" ? null : value
  }
  for (const name of flagFields) if (form[name] !== before[name]) fields[name] = form[name]
  if (!isSame(form.layout, before.layout)) fields["layout"] = form.layout
  if (!isSame(form.cover, before.cover)) fields["cover"] = form.cover ?? null
  const variables = form.variables.filter(({ name }) => name.trim() !== "")
  if (!isSame(variables, before.variables))
    fields["variables"] =
      variables.length === 0
        ? null
        : Object.fromEntries(
            variables.map(({ name, value }) => [
              name.trim(),
              variableValue(value, ownText(page.variables, name.trim()))
            ])
          )
  if (!isSame(form.tags, before.tags)) {
    const primary = page.tags.find((tag) => tag.primary === true)?.tag.tag
    fields["tags"] =
      form.tags.length === 0 ? null : form.tags.map((tag) => ({ tag, ...(tag === primary && { primary: true }) }))
  }
  return Object.keys(fields).length === 0 ? undefined : fields
}

/** Returns the messages of a refusal by the field that each concerns. */
export const problemsOf = (issues: ReadonlyArray<ApiIssue>): { readonly [field: string]: string } =>
  Object.fromEntries(
    issues.toReversed().flatMap(({ message, path }) => {
      const field = /^body\.changes(?:\[0\]|\.0)\.(\w+)/.exec(path)?.[1]
      return field === undefined ? [] : [[field, message]]
    })
  )
