/**
 * The file `site.yaml` of a folder: its parts as sections and variants of a site, the customization and redirects. The
 * fields are those of the API, except for targets of links and redirects: a file names pages by their paths, since it
 * knows no ids.
 *
 * Defaults: one part, the folder itself. Limits: 256 KiB, those of sites, customization and redirects.
 */
import { Result, Schema } from "effect"
import { customizationWith } from "@lectern/core/customization/Customization"
import { RedirectCreate } from "@lectern/core/redirect/Redirect"
import { issuesWithKeys } from "@lectern/core/schema/Input"
import * as Text from "@lectern/core/schema/Text"
import { SiteCreate } from "@lectern/core/site/Site"
import { GroupCreate, SectionPatch, SectionTitle, SiteSpacePatch } from "@lectern/core/site/SiteInput"
import { maxGroups, maxSections, maxSiteSpaces } from "@lectern/core/site/SiteStructure"
import { maxTitle, SpaceCreate } from "@lectern/core/space/Space"
import * as YamlText from "@lectern/document/YamlText"
import * as FolderPath from "../import/FolderPath.ts"

/** Path of the file in the folder. */
export const path = FolderPath.siteFile

const maxLength = 256 * 1024

const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotateKey({ description })

const FolderName = Text.atMost(1024).check(
  Schema.makeFilter((folder: string) =>
    FolderPath.normalize(folder) === undefined ? "Expected a path within the folder" : undefined
  )
)

/** Path of a page in the folder, such as `guide/install.md#linux`, or a URL, such as `https://example.com` or `/docs`. */
const Target = Text.between(1, 2048)

const Customization = customizationWith(Target).annotate({ identifier: "Customization" })

const contentFields = {
  folder: Schema.optionalKey(
    described(FolderName, "Folder of the pages, relative to site.yaml. Default: the folder of site.yaml")
  ),
  groups: Schema.optionalKey(
    described(
      Schema.Array(Text.atMost(300)).check(Schema.isMinLength(1)),
      "Titles of the groups in the navigation of the folder that belong here. An empty text: the pages before the first group. Default: all pages"
    )
  ),
  language: Schema.optionalKey(described(SpaceCreate.fields.language.schema, "Language of the pages, such as en")),
  customization: Schema.optionalKey(described(Customization, "Settings that differ from those of the site"))
}

const Variant = Schema.Struct({
  title: described(Text.line(1, maxTitle), "Title in the list of variants"),
  path: SiteSpacePatch.fields.path,
  condition: SiteSpacePatch.fields.condition,
  default: Schema.optionalKey(
    described(Schema.Boolean, "True for the variant that is shown first. Default: the first")
  ),
  ...contentFields
})
export type Variant = typeof Variant.Type

const variants = Schema.optionalKey(
  described(Schema.Array(Variant).check(Schema.isMinLength(1), Schema.isMaxLength(maxSiteSpaces)), "Variants, in order")
)

const sectionFields = {
  title: described(SectionTitle, "Title of the section, or of the group of sections"),
  path: SectionPatch.fields.path,
  icon: SectionPatch.fields.icon,
  description: SectionPatch.fields.description,
  condition: SectionPatch.fields.condition,
  default: Schema.optionalKey(
    described(Schema.Boolean, "True for the section that is shown first. Default: the first")
  ),
  ...contentFields,
  variants
}

const hasContent = (item: object): boolean => contentNames.some((name) => name in item)
const contentNames = ["folder", "groups"] as const

const Section = Schema.Struct(sectionFields).check(
  Schema.makeFilter((section) => {
    if (section.variants === undefined && !hasContent(section)) return "Expected folder, groups or variants"
    return section.variants !== undefined && hasContent(section)
      ? "Expected the folder and groups of each variant, not of the section"
      : undefined
  })
)
export type Section = typeof Section.Type

/** A section, or a group of sections. */
const Item = Schema.Struct({
  ...sectionFields,
  sections: Schema.optionalKey(
    described(
      Schema.Array(Section).check(Schema.isMinLength(1), Schema.isMaxLength(maxSections)),
      "Sections of a group"
    )
  )
}).check(
  Schema.makeFilter((item) => {
    if (item.sections === undefined) {
      if (item.variants === undefined && !hasContent(item)) return "Expected folder, groups, variants or sections"
      return item.variants !== undefined && hasContent(item)
        ? "Expected the folder and groups of each variant, not of the section"
        : undefined
    }
    const extraName = Object.keys(item).find((name) => !groupNames.has(name))
    if (extraName !== undefined) return `A group has only title, icon and sections: remove ${extraName}`
    return item.title.length > maxGroupTitle ? `Expected a title of at most ${maxGroupTitle} characters` : undefined
  })
)
type Item = typeof Item.Type

const groupNames: ReadonlySet<string> = new Set(Object.keys(GroupCreate.fields))
const maxGroupTitle = 100

const Redirect = Schema.Struct({
  source: RedirectCreate.fields.source,
  destination: described(
    Text.between(1, 2048),
    "Path of a page or of the folder of a section or variant, or a URL of another website"
  ),
  permanent: RedirectCreate.fields.permanent,
  captureWildcard: RedirectCreate.fields.captureWildcard
})
export type Redirect = typeof Redirect.Type

export const SiteFile = Schema.Struct({
  title: Schema.optionalKey(described(SiteCreate.fields.title.schema, "Title of the site")),
  sections: Schema.optionalKey(
    described(
      Schema.Array(Item).check(Schema.isMinLength(1), Schema.isMaxLength(maxSections + maxGroups)),
      "Sections and groups of sections, in order"
    )
  ),
  variants,
  customization: Schema.optionalKey(described(Customization, "Settings of the site")),
  redirects: Schema.optionalKey(
    described(Schema.Array(Redirect).check(Schema.isMaxLength(1000)), "Redirects from unused paths of the site")
  )
}).check(
  Schema.makeFilter(({ sections, variants }) =>
    sections !== undefined && variants !== undefined
      ? { path: ["variants"], issue: "Expected the variants of each section, since the site has sections" }
      : undefined
  )
)
export type SiteFile = typeof SiteFile.Type
export type FileCustomization = typeof Customization.Type

/** A problem of the file. */
export interface SiteFileProblem extends YamlText.Position {
  readonly message: string
}

export interface ParsedSiteFile {
  readonly file: SiteFile
  readonly positionOf: YamlText.PositionedYaml["positionOf"]
}

const decode = Schema.decodeUnknownResult(SiteFile)

export const parse = (text: string): Result.Result<ParsedSiteFile, ReadonlyArray<SiteFileProblem>> => {
  if (text.length > maxLength)
    return Result.fail([{ line: 1, column: 1, message: `Expected at most ${maxLength / 1024} KiB` }])
  const yaml = YamlText.parsePositioned(text)
  if (Result.isFailure(yaml)) {
    const { message, line, column } = yaml.failure
    return Result.fail([{ line: Math.max(line, 1), column: Math.max(column, 1), message }])
  }
  const { positionOf, value } = yaml.success
  const file = decode(value ?? {}, { onExcessProperty: "error", errors: "all" })
  if (Result.isSuccess(file)) return Result.succeed({ file: file.success, positionOf })
  return Result.fail(
    issuesWithKeys(file.failure.issue).map(({ keys, message }) => {
      const name = keys.findLast((key) => typeof key === "string")
      return { ...positionOf(keys), message: name === undefined ? message : `${name}: ${message}` }
    })
  )
}

export type ItemPath = ReadonlyArray<string | number>

export interface LocatedSection {
  readonly section: Section
  /** Position of its group in the items. Undefined outside of groups. */
  readonly group: number | undefined
  readonly path: ItemPath
}

/** Returns the sections in order, in groups or not. */
export const sectionsOf = ({ sections = [] }: SiteFile): ReadonlyArray<LocatedSection> =>
  sections.flatMap((item: Item, i): ReadonlyArray<LocatedSection> =>
    item.sections === undefined
      ? [{ section: item, group: undefined, path: ["sections", i] }]
      : item.sections.map((section, j) => ({ section, group: i, path: ["sections", i, "sections", j] }))
  )

/** Returns a JSON Schema of the file, for editors. */
export const jsonSchema = (): object => {
  const { schema, definitions } = Schema.toJsonSchemaDocument(SiteFile, { onExcessProperty: "error" })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: path,
    ...schema,
    ...(Object.keys(definitions).length > 0 && { $defs: definitions })
  }
}
