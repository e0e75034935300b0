/** Converts a template to a batch of changes that inserts each page below its parent. */
import type { ContentChange } from "../content/edits/ContentChange.ts"
import type { ContentRefs, Template, TemplatePage } from "./Template.ts"

/** `variables`: the existing variables of the space. */
export const changesOf = (
  template: Template,
  refs: ContentRefs,
  variables: Readonly<Record<string, unknown>>
): ReadonlyArray<ContentChange> => {
  const changes: Array<ContentChange> = []
  const missingVariables = Object.entries(template.variables ?? {}).filter(([name]) => !Object.hasOwn(variables, name))
  if (missingVariables.length > 0)
    changes.push({ operation: "set_variables", variables: Object.fromEntries(missingVariables) })
  let pages = 0
  const add = (page: TemplatePage, parentRef: string | null) => {
    const ref = page.name ?? `template-page-${++pages}`
    changes.push(insert(page, ref, parentRef))
    for (const childPage of page.pages ?? []) add(childPage, ref)
  }
  for (const page of template.pages(refs)) add(page, null)
  return changes
}

const insert = (page: TemplatePage, ref: string, into: string | null): ContentChange => {
  const { title, icon, description, markdown, cover, target, computed } = page
  const type = page.type ?? (computed !== undefined ? "computed" : target !== undefined ? "link" : "document")
  return {
    operation: "insert_page",
    type,
    title,
    ref,
    into,
    ...(icon !== undefined && { icon }),
    ...(description !== undefined && { description }),
    ...(cover !== undefined && { cover: { ref: cover, yPos: 0 } }),
    ...(target !== undefined && { target }),
    ...(computed !== undefined && { computed }),
    ...(type === "document" && markdown !== undefined && { document: { markdown } })
  }
}

/** Returns the supplied references that the template declares in `contentRefs`. */
export const knownRefs = ({ contentRefs = [] }: Template, given: ContentRefs): ContentRefs =>
  Object.fromEntries(contentRefs.flatMap((name) => (Object.hasOwn(given, name) ? [[name, given[name]!]] : [])))
