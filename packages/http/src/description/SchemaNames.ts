/**
 * Names the schemas of a description, so that each is written once, as a component: generated clients have a
 * type `Space` then. What says what it is (`object: "space"`) is called after that, a list after what it lists, a
 * body after its operation, and what several have in common (100 characters or more) after its field, with the
 * name of what it was found in where that alone could be something else. The order of the operations decides who
 * was first.
 */
import { type JsonSchema, mapSubschemas, nameOf, refTo } from "./JsonSchema.ts"

/** Characters from which on a schema that several have in common is written once. */
const minSharedSize = 100

interface Shape {
  readonly schema: JsonSchema
  readonly parts: ReadonlyArray<readonly [field: string, part: Shape]>
  readonly size: number
  /** How many other shapes, and operations, have it. */
  uses: number
  name?: string | undefined
}

export class SchemaNames {
  readonly #shapes = new Map<string, Shape>()
  readonly #ids = new Map<Shape, number>()
  readonly #roots: Array<readonly [shape: Shape, name: string]> = []
  readonly #taken = new Map<string, Shape>()
  /** The shapes that each field has anywhere. */
  readonly #fields = new Map<string, Set<Shape>>()
  /** The shapes of what says that it is the same. */
  readonly #kinds = new Map<string, Set<Shape>>()
  readonly #references = new Map<Shape, JsonSchema>()
  readonly #components: Record<string, JsonSchema>

  /** `components`: those that have their names already. */
  constructor(components: Readonly<Record<string, JsonSchema>>) {
    this.#components = {}
    for (const [name, schema] of Object.entries(components)) {
      const shape = this.#shapeOf(schema)
      shape.name ??= name
      this.#taken.set(name, shape)
      this.#roots.push([shape, name])
    }
  }

  /** Takes the body of an operation in; every one has to be, before the first is written. */
  add(schema: JsonSchema, name: string): void {
    const shape = this.#shapeOf(schema)
    shape.uses++
    this.#roots.push([shape, name])
  }

  /** Gives names, once all are taken in. */
  assignNames(): void {
    for (const [shape, name] of this.#roots) this.#visit(shape, name, name, "")
  }

  /** A schema that was taken in, as it stands in its operation. */
  referenceTo(schema: JsonSchema): JsonSchema {
    return this.#write(this.#shapeOf(schema))
  }

  /** Everything that has a name, as far as it was written; the names in the order of the alphabet. */
  get components(): Readonly<Record<string, JsonSchema>> {
    for (const [name, shape] of this.#taken) if (shape.name === name) this.#write(shape)
    return Object.fromEntries(Object.entries(this.#components).sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #shapeOf(schema: JsonSchema): Shape {
    const parts: Array<readonly [string, Shape]> = []
    let size = 0
    const key = JSON.stringify(
      mapSubschemas(schema, (part, field) => {
        const shape = this.#shapeOf(part)
        parts.push([field, shape])
        size += shape.size
        return { shape: this.#ids.get(shape) }
      })
    )
    const known = this.#shapes.get(key)
    if (known !== undefined) return known
    const shape: Shape = { schema, parts, size: size + key.length, uses: 0 }
    this.#shapes.set(key, shape)
    this.#ids.set(shape, this.#ids.size)
    for (const part of new Set(parts.map(([, part]) => part))) part.uses++
    for (const [field, part] of parts) addShape(this.#fields, field, part)
    const kind = onlyValue(schema, "object")
    if (kind !== undefined) addShape(this.#kinds, kind, shape)
    return shape
  }

  readonly #visited = new Set<Shape>()

  /** `body`: the name that it gets, whatever its size, as the body of an operation. */
  #visit(shape: Shape, parent: string, body: string | undefined, field: string): void {
    if (nameOf(shape.schema) !== undefined) return
    shape.name ??= this.#nameFor(shape, parent, body, field)
    if (shape.name !== undefined) this.#taken.set(shape.name, shape)
    if (this.#visited.has(shape)) return
    this.#visited.add(shape)
    const own = shape.name ?? parent
    for (const [name, part] of shape.parts) this.#visit(part, own, undefined, isField(name) ? name : field)
  }

  #nameFor(shape: Shape, parent: string, body: string | undefined, field: string): string | undefined {
    const { schema } = shape
    const kind = onlyValue(schema, "object")
    const sort = pascal(onlyValue(schema, "type") ?? onlyValue(schema, "kind") ?? "")
    if (kind !== undefined) {
      const own = pascal(kind)
      const sorted = sort !== "" && this.#kinds.get(kind)!.size > 1 ? [`${sort}${own}`] : []
      return this.#free([...sorted, own, `${parent}${pascal(field)}`, `${parent}${own}`])
    }
    if (body !== undefined) {
      if (schema.type !== "object" && schema.anyOf === undefined) return undefined
      const item = schema.properties?.["items"]?.items
      const listed = item && this.#shapeOf(item)
      if (listed !== undefined && schema.properties?.["count"] !== undefined) {
        this.#visit(listed, body, singular(body.replace("List", "")), "item")
        if (listed.name !== undefined) return this.#free([`${listed.name}List`, body])
      }
      return this.#free([body])
    }
    if (shape.uses < 2 || shape.size < minSharedSize || !isNameable(schema)) return undefined
    const base = pascal(singular(field))
    const isClear = base !== "" && !genericNames.has(base) && this.#fields.get(field)?.size === 1
    const sorted = sort === "" ? [] : [`${parent}${sort}`]
    return this.#free([...(isClear ? [base] : []), ...sorted, `${parent}${base}`])
  }

  #free(derived: ReadonlyArray<string>): string {
    const names = derived.map((name) => nameOverrides[name] ?? name)
    const free = names.find((name) => !this.#taken.has(name))
    if (free !== undefined) return free
    const last = names.at(-1)!
    for (let i = 2; ; i++) {
      const numbered = nameOverrides[`${last}${i}`] ?? `${last}${i}`
      if (!this.#taken.has(numbered)) return numbered
    }
  }

  #write(shape: Shape): JsonSchema {
    const known = this.#references.get(shape)
    if (known !== undefined) return known
    // A shape may have itself as a part, behind its name.
    if (shape.name !== undefined) this.#references.set(shape, refTo(shape.name))
    const parts = shape.parts.values()
    const whole = mapSubschemas(shape.schema, () => this.#write(parts.next().value![1]))
    if (shape.name === undefined) {
      this.#references.set(shape, whole)
      return whole
    }
    this.#components[shape.name] = whole
    return refTo(shape.name)
  }
}

const addShape = (shapes: Map<string, Set<Shape>>, name: string, shape: Shape): void => {
  const known = shapes.get(name)
  if (known === undefined) shapes.set(name, new Set([shape]))
  else known.add(shape)
}

/** The value of a field that has one alone: by `object` and `type` things say what they are. */
const onlyValue = ({ properties }: JsonSchema, field: string): string | undefined => {
  const values = properties?.[field]?.enum
  return values?.length === 1 ? String(values[0]) : undefined
}

const isField = (name: string) => name !== "" && name !== "item"

/** Text within limits needs no name, and neither does text or null. */
const isNameable = ({ type, anyOf, enum: values }: JsonSchema) =>
  type === "object" || values !== undefined || (anyOf !== undefined && !anyOf.every(isPlain))

const isPlain = ({ type, enum: values }: JsonSchema) => type === "null" || (type === "string" && values === undefined)

/** Names that are better than those that they derive. */
export const nameOverrides: Readonly<Record<string, string>> = {
  ChangeRequestWriteAnswer: "WriteResult",
  CollectionGrantAggregate: "AggregatedGrant",
  CollectionGrantGive: "GrantsGive",
  CollectionGrantTeam: "TeamGrant",
  CollectionGrantUser: "UserGrant",
  CollectionMove: "Move",
  CollectionTransfer: "Transfer",
  CollectionUpdateDefaultLevel: "DefaultLevel",
  Configuration: "IntegrationConfigurations",
  ContentImportSpace: "ContentImport",
  ContentImportSpaceAnswer: "ContentImportResult",
  CustomizationFaviconIcon: "ThemedPicture",
  CustomizationGetOfSiteSpace: "SiteSpaceCustomization",
  CustomizationPatchOfSiteSpace: "SiteSpaceCustomizationPatch",
  CustomizationStylingFontFont2: "CustomFont",
  CustomizationStylingLight: "CodeTheme",
  CustomizationStylingTintColor: "Color",
  CustomizationStylingPrimaryColor: "Color",
  DocumentPageComputedBuiltinOpenapiDependencyOpenapi: "SpecRef",
  DocumentPageCoverRef: "ContentRef",
  DocumentPageGit: "GitObject",
  InstallationIn: "OrganizationInstallation",
  InstallationStatus: "IntegrationInstallationStatus",
  IntegrationEvent2: "IntegrationEventWithTrace",
  IntegrationInstallationStatus2: "InstallationStatus",
  InvitationInviteAnswer: "InvitationResult",
  InviteOrganization: "IdAndTitle",
  InviteLinkListItem: "InviteLink",
  MemberPing: "JsonObject",
  MemberUpdate: "RoleUpdate",
  OpenapiSpec: "OpenApiSpec",
  OpenapiSpecVersion: "OpenApiSpecVersion",
  Pdf: "PendingPdf",
  PdfSpace: "SignedUrl",
  PublishedUrlAnswerPublishedUrl: "PublishedContent",
  SiteSort2: "SiteSortItem",
  SpaceCommentPost: "CommentPost",
  SpaceCommentPostReply: "CommentReplyPost",
  SpaceCommentUpdate: "CommentUpdate",
  SpaceContentPages: "Pages",
  SpaceDuplicate: "Opening",
  SpaceLanguage: "Language",
  SpaceLinkToPage: "BacklinkList",
  SpacePlacementUpdate: "PlacementUpdate"
}

/** Fields that say nothing by themselves. */
const genericNames = new Set(["Type", "Value", "Data", "Properties", "Param", "Field", "Option", "Item"])

const singular = (word: string): string => {
  if (/(?:ss|us|is)$/.test(word)) return word
  const [, stem, ending] = /^(.*?)(ies|(?:x|ch|sh|ss|us)es|s)$/.exec(word) ?? []
  return ending === undefined ? word : stem + (ending === "ies" ? "y" : ending.replace(/e?s$/, ""))
}

export const pascal = (words: string): string =>
  words
    .replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase())
    .replace(/[^a-zA-Z0-9]/g, "")

/** The name of an operation's body: `changeRequests.create` takes a `ChangeRequestCreate`. */
export const bodyName = (group: string, operation: string): string =>
  pascal(singular(group)) + (operation === "get" ? "" : pascal(operation))
