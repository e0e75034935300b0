/**
 * Parts of a folder that becomes a site: each is imported into a space of its own. A file belongs to the part with the
 * longest folder in its path. Parts with the same folder and groups are one part.
 */
import type { FolderPart, OtherPage } from "../import/Folder.ts"
import * as FolderPath from "../import/FolderPath.ts"
import type { ItemPath, Section, SiteFile, Variant } from "./SiteFile.ts"
import * as Sites from "./SiteFile.ts"

export interface PartDefinition {
  /** Equal for equal folders and groups. */
  readonly key: string
  readonly title: string
  readonly language?: NonNullable<Variant["language"]>
  /** Path of the folder. Empty for the folder of the site. */
  readonly folder: string
  readonly groups?: ReadonlyArray<string>
  /** Position of the part in the file. */
  readonly path: ItemPath
}

type Content = Pick<Variant, "folder" | "groups" | "language">

const folderOf = ({ folder = "" }: Content): string => FolderPath.normalize(folder) ?? ""

/** Returns the key of the part that a section or variant shows. */
export const keyOf = (content: Content): string => JSON.stringify([folderOf(content), ...(content.groups ?? [])])

const definitionOf = (title: string, content: Content, path: ItemPath): PartDefinition => ({
  key: keyOf(content),
  title,
  folder: folderOf(content),
  path,
  ...(content.groups !== undefined && { groups: content.groups }),
  ...(content.language !== undefined && { language: content.language })
})

const ofVariants = (variants: ReadonlyArray<Variant>, path: ItemPath) =>
  variants.map((variant, i) => definitionOf(variant.title, variant, [...path, "variants", i]))

const ofSection = (section: Section, path: ItemPath): ReadonlyArray<PartDefinition> =>
  section.variants === undefined ? [definitionOf(section.title, section, path)] : ofVariants(section.variants, path)

/** Returns the parts in order, each once. `title`: title of the only part of a file without sections and variants. */
export const definitionsOf = (file: SiteFile, title: string): ReadonlyArray<PartDefinition> => {
  const definitions =
    file.variants !== undefined
      ? ofVariants(file.variants, [])
      : Sites.sectionsOf(file).flatMap(({ section, path }) => ofSection(section, path))
  const byKey = new Map<string, PartDefinition>()
  for (const definition of definitions) if (!byKey.has(definition.key)) byKey.set(definition.key, definition)
  return byKey.size === 0 ? [definitionOf(title, {}, [])] : [...byKey.values()]
}

/** Returns the part for an import. `otherPages`: pages of the other parts. */
export const partOf = (
  { folder, groups, key }: PartDefinition,
  definitions: ReadonlyArray<PartDefinition>,
  otherPages: ReadonlyMap<string, OtherPage>
): FolderPart => {
  const prefix = folder === "" ? "" : `${folder}/`
  const excluded = [...new Set(definitions.map((other) => other.folder))].filter(
    (other) => other !== folder && other.startsWith(prefix)
  )
  if (groups === undefined) return { folder, excluded, otherPages }
  const sharing = definitions.filter((other) => other.folder === folder && other.groups !== undefined)
  const others = sharing.find((other) => other.groups!.includes("")) ?? sharing[0]
  return {
    folder,
    excluded,
    otherPages,
    groups: {
      own: groups,
      all: new Set(sharing.flatMap((other) => other.groups!)),
      hasOthers: others?.key === key
    }
  }
}
