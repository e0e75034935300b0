/**
 * Names the schemas of a description, so that each becomes one component and generated clients have types such as
 * `Space`. Names come from, in this order: the value of `object` (`object: "space"`), the items of a list, the
 * operation of a body, or the field of a schema that occurs several times and has at least 100 characters. An ambiguous
 * name is prefixed with the name of the enclosing schema. The first operation that uses a name gets it.
 */
import { type JsonSchema, mapSubschemas, nameOf, refTo } from "./JsonSchema.ts"

/** Size in characters from which a schema that occurs several times becomes a component. */
const minSharedSize = 100

interface Shape {
  readonly schema: JsonSchema
  readonly parts: ReadonlyArray<readonly [field: string, part: Shape]>
  readonly size: number
  /** Number of shapes and operations that contain the shape. */
  uses: number
  name?: string | undefined
}

export class SchemaNames {
  readonly #shapes = new Map<string, Shape>()
  readonly #ids = new Map<Shape, number>()
  readonly #roots: Array<readonly [shape: Shape, name: string]> = []
  readonly #shapesByName = new Map<string, Shape>()
  /** Shapes of each field, in all schemas. */
  readonly #fields = new Map<string, Set<Shape>>()
  /** Shapes by the value of their field `object`. */
  readonly #kinds = new Map<string, Set<Shape>>()
  readonly #references = new Map<Shape, JsonSchema>()
  readonly #components: Record<string, JsonSchema>

  /** `components`: schemas that already have names. */
  constructor(components: Readonly<Record<string, JsonSchema>>) {
    this.#components = {}
    for (const [name, schema] of Object.entries(components)) {
      const shape = this.#shapeOf(schema)
      shape.name ??= name
      this.#shapesByName.set(name, shape)
      this.#roots.push([shape, name])
    }
  }

  /** Adds the body of an operation. All bodies must be added before `assignNames`. */
  add(schema: JsonSchema, name: string): void {
    const shape = this.#shapeOf(schema)
    shape.uses++
    this.#roots.push([shape, name])
  }

  /** Assigns names after all bodies were added. */
  assignNames(): void {
    for (const [shape, name] of this.#roots) this.#visit(shape, name, name, "")
  }

  /** Returns an added schema with references to components. */
  referenceTo(schema: JsonSchema): JsonSchema {
    return this.#write(this.#shapeOf(schema))
  }

  /** Returns all components that are referenced, sorted by name. */
  get components(): Readonly<Record<string, JsonSchema>> {
    for (const [name, shape] of this.#shapesByName) if (shape.name === name) this.#write(shape)
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
    const existingShape = this.#shapes.get(key)
    if (existingShape !== undefined) return existingShape
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

  /** `body`: name of the shape as the body of an operation, regardless of its size. */
  #visit(shape: Shape, parent: string, body: string | undefined, field: string): void {
    if (nameOf(shape.schema) !== undefined) return
    shape.name ??= this.#nameFor(shape, parent, body, field)
    if (shape.name !== undefined) this.#shapesByName.set(shape.name, shape)
    if (this.#visited.has(shape)) return
    this.#visited.add(shape)
    const partParent = shape.name ?? parent
    for (const [name, part] of shape.parts) this.#visit(part, partParent, undefined, isField(name) ? name : field)
  }

  #nameFor(shape: Shape, parent: string, body: string | undefined, field: string): string | undefined {
    const { schema } = shape
    const kind = onlyValue(schema, "object")
    const sort = pascal(onlyValue(schema, "type") ?? onlyValue(schema, "kind") ?? "")
    if (kind !== undefined) {
      const kindName = pascal(kind)
      const sorted = sort !== "" && this.#kinds.get(kind)!.size > 1 ? [`${sort}${kindName}`] : []
      return this.#freeName([...sorted, kindName, `${parent}${pascal(field)}`, `${parent}${kindName}`])
    }
    if (body !== undefined) {
      if (schema.type !== "object" && schema.anyOf === undefined) return undefined
      const item = schema.properties?.["items"]?.items
      const itemShape = item && this.#shapeOf(item)
      if (itemShape !== undefined && schema.properties?.["count"] !== undefined) {
        this.#visit(itemShape, body, singular(body.replace("List", "")), "item")
        if (itemShape.name !== undefined) return this.#freeName([`${itemShape.name}List`, body])
      }
      return this.#freeName([body])
    }
    if (shape.uses < 2 || shape.size < minSharedSize || !isNameable(schema)) return undefined
    const base = pascal(singular(field))
    const isClear = base !== "" && !genericNames.has(base) && this.#fields.get(field)?.size === 1
    const sorted = sort === "" ? [] : [`${parent}${sort}`]
    return this.#freeName([...(isClear ? [base] : []), ...sorted, `${parent}${base}`])
  }

  #freeName(derived: ReadonlyArray<string>): string {
    const names = derived.map((name) => nameOverrides[name] ?? name)
    const freeName = names.find((name) => !this.#shapesByName.has(name))
    if (freeName !== undefined) return freeName
    const lastName = names.at(-1)!
    for (let i = 2; ; i++) {
      const numbered = nameOverrides[`${lastName}${i}`] ?? `${lastName}${i}`
      if (!this.#shapesByName.has(numbered)) return numbered
    }
  }

  #write(shape: Shape): JsonSchema {
    const reference = this.#references.get(shape)
    if (reference !== undefined) return reference
    // A shape can contain itself through a reference.
    if (shape.name !== undefined) this.#references.set(shape, refTo(shape.name))
    const parts = shape.parts.values()
    const fullSchema = mapSubschemas(shape.schema, () => this.#write(parts.next().value![1]))
    if (shape.name === undefined) {
      this.#references.set(shape, fullSchema)
      return fullSchema
    }
    this.#components[shape.name] = fullSchema
    return refTo(shape.name)
  }
}

const addShape = (shapes: Map<string, Set<Shape>>, name: string, shape: Shape): void => {
  const sameNameShapes = shapes.get(name)
  if (sameNameShapes === undefined) shapes.set(name, new Set([shape]))
  else sameNameShapes.add(shape)
}

/**
 * Returns the value of a field with a single allowed value. `object` and `type` identify the kind of an object in this
 * way.
 */
const onlyValue = ({ properties }: JsonSchema, field: string): string | undefined => {
  const values = properties?.[field]?.enum
  return values?.length === 1 ? String(values[0]) : undefined
}

const isField = (name: string) => name !== "" && name !== "item"

/** Bounded strings, and nullable strings, need no name. */
const isNameable = ({ type, anyOf, enum: values }: JsonSchema) =>
  type === "object" || values !== undefined || (anyOf !== undefined && !anyOf.every(isPlain))

const isPlain = ({ type, enum: values }: JsonSchema) => type === "null" || (type === "string" && values === undefined)

/** Better names for some derived names. */
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
  InviteLinkListItem: "InviteLink",
  MemberPing: "JsonObject",
  MemberUpdate: "RoleUpdate",
  NotificationOrganization: "IdAndTitle",
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

/** Field names that mean nothing without their context. */
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

/** Returns the name of an operation's body: `changeRequests.create` takes a `ChangeRequestCreate`. */
export const bodyName = (group: string, operation: string): string =>
  pascal(singular(group)) + (operation === "get" ? "" : pascal(operation))
