/**
 * A site of a folder with the ids of its spaces and pages in place of paths, ready to be created. Equal values result in
 * equal sites.
 */
import type { CustomizationPut } from "@lectern/core/customization/Customization"
import type { ContentRef } from "@lectern/document/Document"
import { decodePercent } from "@lectern/document/PercentEncoding"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import type { FolderFile, OtherPage } from "../import/Folder.ts"
import { FolderIndex } from "../import/FolderIndex.ts"
import * as FolderPath from "../import/FolderPath.ts"
import * as FolderParts from "./FolderParts.ts"
import type { ImportedPart } from "./PartImports.ts"
import { pagesOf } from "./PartImports.ts"
import * as Files from "./SiteFile.ts"

export interface ResolvedVariant extends Pick<Files.Variant, "path" | "condition"> {
  readonly space: string
  readonly isDefault: boolean
  readonly customization: CustomizationPut | undefined
  /** Position in the file. */
  readonly at: Files.ItemPath
}

export interface ResolvedSection extends Pick<Files.Section, "title" | "path" | "icon" | "description" | "condition"> {
  readonly group: number | undefined
  readonly isDefault: boolean
  readonly variants: ReadonlyArray<ResolvedVariant>
  readonly at: Files.ItemPath
}

export interface ResolvedRedirect extends Omit<Files.Redirect, "destination"> {
  readonly destination: { readonly url: string } | { readonly space: string; readonly page?: string }
  readonly at: Files.ItemPath
}

export interface ResolvedSite {
  readonly title: string
  /** Empty if the site has only variants. */
  readonly sections: ReadonlyArray<ResolvedSection>
  readonly groups: ReadonlyArray<{ readonly title: string; readonly icon?: string | null; readonly position: number }>
  /** Variants of a site without sections. */
  readonly variants: ReadonlyArray<ResolvedVariant>
  readonly customization: CustomizationPut
  readonly redirects: ReadonlyArray<ResolvedRedirect>
}

export interface Finding {
  /** Position in the file. */
  readonly at: Files.ItemPath
  readonly message: string
  readonly rule: "broken-link" | "broken-redirect" | "invalid-settings"
}

interface Options {
  readonly title: string
  readonly parts: ReadonlyArray<ImportedPart>
  readonly files: ReadonlyArray<FolderFile>
}

/** Resolves the paths of a file. Links and redirects to missing pages are left out, and reported. */
export const resolve = (
  file: Files.SiteFile,
  { title, parts, files }: Options
): { readonly site: ResolvedSite; readonly findings: ReadonlyArray<Finding> } => {
  const findings: Array<Finding> = []
  const pages = pagesOf(parts)
  let index: FolderIndex | undefined
  const pageAt = (path: string): OtherPage | undefined => {
    index ??= new FolderIndex(files)
    const normalized = FolderPath.normalize(decodePercent(path))
    const pageFile = normalized === undefined ? undefined : index.page(normalized)
    return pageFile && pages.get(pageFile.path)
  }
  const spaces = new Map(parts.map(({ definition, space }) => [definition.key, space]))

  const refOf = (target: string): ContentRef | undefined => {
    if (RefUrl.isAbsolute(target) || /^[/#]/.test(target)) return { kind: "url", url: target }
    const [path = "", anchor = ""] = target.split("#", 2)
    const page = pageAt(path)
    if (page === undefined) return undefined
    return anchor === "" ? { kind: "page", ...page } : { kind: "anchor", ...page, anchor }
  }

  /** Returns settings with references. Links without a target are left out. */
  const withRefs = (value: unknown, at: Files.ItemPath): unknown => {
    if (Array.isArray(value))
      return value.map((item, i) => withRefs(item, [...at, i])).filter((item) => item !== undefined)
    if (typeof value !== "object" || value === null) return value
    const entries: Array<readonly [string, unknown]> = []
    for (const [name, inner] of Object.entries(value)) {
      if (name !== "to" || typeof inner !== "string") {
        const resolved = withRefs(inner, [...at, name])
        if (resolved !== undefined) entries.push([name, resolved])
        continue
      }
      const ref = refOf(inner)
      if (ref === undefined) {
        findings.push({ at: [...at, name], rule: "broken-link", message: noPage("A link", inner) })
        return undefined
      }
      entries.push([name, ref])
    }
    return Object.fromEntries(entries)
  }
  const customizationOf = (value: Files.FileCustomization | undefined, at: Files.ItemPath) =>
    value && (withRefs(value, [...at, "customization"]) as CustomizationPut)

  const variantOf = (
    { condition, customization, default: isDefault = false, path, ...content }: Omit<Files.Variant, "title">,
    at: Files.ItemPath
  ): ResolvedVariant => ({
    ...(path !== undefined && { path }),
    ...(condition != null && { condition }),
    space: spaces.get(FolderParts.keyOf(content))!,
    isDefault,
    customization: customizationOf(customization, at),
    at
  })
  const variantsOf = (variants: ReadonlyArray<Files.Variant>, at: Files.ItemPath) =>
    variants.map((variant, i) => variantOf(variant, [...at, "variants", i]))

  const sections = Files.sectionsOf(file).map(({ section, group, path: at }): ResolvedSection => {
    const { condition, default: isDefault = false, description, icon, path, title, variants } = section
    return {
      title,
      ...(path !== undefined && { path }),
      ...(icon != null && { icon }),
      ...(description != null && { description }),
      ...(condition != null && { condition }),
      group,
      isDefault,
      variants: variants === undefined ? [variantOf(withoutSection(section), at)] : variantsOf(variants, at),
      at
    }
  })

  const redirects = (file.redirects ?? []).flatMap(
    ({ destination, ...redirect }, i): ReadonlyArray<ResolvedRedirect> => {
      const at = ["redirects", i]
      if (/^https?:/i.test(destination)) return [{ ...redirect, destination: { url: destination }, at }]
      const target = pageAt(destination)
      const folder = FolderPath.normalize(destination)
      const part = parts.find(({ definition }) => definition.folder === folder)
      // The page of a part's folder is at the URL of the part.
      if (part !== undefined && folder !== "") return [{ ...redirect, destination: { space: part.space }, at }]
      if (target !== undefined) return [{ ...redirect, destination: target, at }]
      findings.push({
        at: [...at, "destination"],
        rule: "broken-redirect",
        message: noPage("A redirect", destination)
      })
      return []
    }
  )

  return {
    site: {
      title,
      sections,
      groups: (file.sections ?? []).flatMap(({ icon, sections, title }, position) =>
        sections === undefined ? [] : [{ title, position, ...(icon != null && { icon }) }]
      ),
      variants:
        file.variants !== undefined
          ? variantsOf(file.variants, [])
          : sections.length > 0
            ? []
            : [{ space: parts[0]!.space, isDefault: true, customization: undefined, at: [] }],
      customization: customizationOf(file.customization, []) ?? {},
      redirects
    },
    findings
  }
}

const noPage = (subject: string, target: string): string => `${subject} leads to no page: there is no ${target}`

const withoutSection = ({ folder, groups, customization }: Files.Section): Omit<Files.Variant, "title"> => ({
  ...(folder !== undefined && { folder }),
  ...(groups !== undefined && { groups }),
  ...(customization !== undefined && { customization })
})
