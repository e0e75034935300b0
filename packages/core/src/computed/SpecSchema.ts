/**
 * Reads the schemas of a spec, for all renderers. Follows references, merges `allOf` as an intersection, and applies
 * discriminators. Pages, Markdown, examples, samples and forms are rendered from the result.
 *
 * A schema with a discriminator and no alternatives of its own gets two kinds of alternatives: the schemas of its
 * mapping, and the schemas that extend it by `allOf`. A schema that extends it states its discriminator value and does
 * not repeat the alternatives.
 *
 * Limits: 50 parts of an `allOf`, 16 levels of `allOf`, 60 schemas merged into one.
 */
import * as MergedSchema from "./MergedSchema.ts"
import { type Fields, fieldsOf, isFields, listOf, schemaName, type Spec, textOf } from "./SpecParser.ts"

const maxParts = 50
const maxDepth = 16
const maxMerged = 60

/** One of several alternative schemas of a value. */
export interface Option {
  readonly schema: unknown
  /** The discriminator property, with its values for this schema. */
  readonly kind?: { readonly property: string; readonly values: ReadonlyArray<string> }
}

export interface Choice {
  readonly keyword: "oneOf" | "anyOf"
  readonly options: ReadonlyArray<Option>
}

export interface Condition {
  /** The `if` schema, which selects `thenSchema` or `elseSchema`. */
  readonly test: unknown
  readonly thenSchema: unknown
  readonly elseSchema: unknown
}

/** A schema with references resolved and `allOf` merged. */
export interface SpecSchema {
  /** Identity of the schema, shared by all references to one schema. */
  readonly key: object
  /** The name of the component; empty for a schema that is not a component. */
  readonly name: string
  /** Keywords, without `$ref` and `allOf`. Exclusive bounds are numbers; `nullable` is as in OpenAPI 3.0. */
  readonly fields: Fields
  readonly choices: ReadonlyArray<Choice>
  readonly conditions: ReadonlyArray<Condition>
  /** Schemas of `not`. A value is invalid if it matches one of them. */
  readonly excluded: ReadonlyArray<unknown>
  /** Examples that parts of an `allOf` state for themselves. */
  readonly partExamples: ReadonlyArray<unknown>
}

/** Keywords that describe a schema and do not constrain its values. */
const annotations =
  /^(?:description|title|deprecated|readOnly|writeOnly|nullable|default|examples?|xml|externalDocs|x-.*)$/

interface Components {
  readonly names: ReadonlyMap<unknown, string>
  /** Maps a parent schema to the names of the schemas that extend the parent by `allOf`. */
  readonly children: ReadonlyMap<unknown, ReadonlyArray<string>>
}

const componentsOf = new WeakMap<Spec, Components>()

const refTo = (name: string): Fields => ({
  $ref: `#/components/schemas/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`
})

const components = (spec: Spec): Components => {
  let cached = componentsOf.get(spec)
  if (cached === undefined) {
    const names = new Map<unknown, string>()
    const children = new Map<unknown, Array<string>>()
    for (const [name, schema] of spec.schemas) {
      if (!isFields(schema)) continue
      if (schema.$ref === undefined && !names.has(schema)) names.set(schema, name)
      for (const part of listOf(schema.allOf).slice(0, maxParts)) {
        const parent = isFields(part) && part.$ref !== undefined ? spec.resolve(part) : undefined
        if (parent === undefined) continue
        const childNames = children.get(parent)
        if (childNames === undefined) children.set(parent, [name])
        else childNames.push(name)
      }
    }
    cached = { names, children }
    componentsOf.set(spec, cached)
  }
  return cached
}

/** Reads the schemas of one rendering, and caches each result. */
export class SchemaReader {
  readonly spec: Spec
  readonly cachedSchemas = new WeakMap<object, SpecSchema>()
  readonly cachedMerges = new WeakMap<object, WeakMap<object, Fields>>()
  readonly #options = new WeakMap<object, ReadonlyArray<Fields>>()
  readonly #empty: SpecSchema

  constructor(spec: Spec) {
    this.spec = spec
    this.#empty = anySchema({})
  }

  /** Returns the merged schema of a value. For a value that is not a schema, returns one that allows everything. */
  readonly resolve = (value: unknown): SpecSchema => {
    if (!isFields(value)) return this.#empty
    let schema = this.cachedSchemas.get(value)
    if (schema === undefined) {
      const merged = this.#read(value, [], { remaining: maxMerged }) ?? anySchema(value)
      const target = this.#aliasTarget(value, 0)
      schema = target === undefined ? merged : { ...merged, key: target, name: this.nameOf(value) }
      this.cachedSchemas.set(value, schema)
    }
    return schema
  }

  /**
   * Returns the name of the component that a schema is or refers to, even if the reference has annotations; empty if
   * there is no component.
   */
  readonly nameOf = (value: unknown): string => {
    for (let i = 0, current = value; i < maxDepth; i++) {
      const name = schemaName(current)
      if (name !== undefined) return name
      const singlePart = this.singlePart(current)
      if (singlePart === undefined) return components(this.spec).names.get(current) ?? ""
      current = singlePart
    }
    return ""
  }

  /** Returns the names of the `allOf` parts that are components. */
  readonly partNames = (value: unknown): ReadonlyArray<string> =>
    listOf(isFields(value) ? value.allOf : undefined)
      .slice(0, maxParts)
      .flatMap((part) => this.nameOf(part) || [])

  singlePart(value: unknown): unknown {
    if (!isFields(value) || !Array.isArray(value.allOf) || value.allOf.length !== 1) return undefined
    return Object.keys(value).every((name) => name === "allOf" || annotations.test(name)) ? value.allOf[0] : undefined
  }

  /** Returns the target of a reference, also if the reference is the only part of an `allOf`. */
  #aliasTarget(value: Fields, depth: number): Fields | undefined {
    if (typeof value.$ref === "string") {
      const target = this.spec.resolve(value)
      return target === undefined ? undefined : (depth < maxDepth && this.#aliasTarget(target, depth + 1)) || target
    }
    const singlePart = this.singlePart(value)
    return isFields(singlePart) && depth < maxDepth
      ? (this.#aliasTarget(singlePart, depth + 1) ?? singlePart)
      : undefined
  }

  /**
   * Returns the merged schema; undefined above a limit. `derived`: the schemas that contain this schema as a part of
   * their `allOf`, outermost first.
   */
  #read(value: unknown, derived: ReadonlyArray<Fields>, budget: { remaining: number }): SpecSchema | undefined {
    if (!isFields(value) || derived.length >= maxDepth || derived.includes(value) || --budget.remaining < 0)
      return undefined
    const path = [...derived, value]
    const { $ref, allOf, ...otherFields } = value
    const ownSchema = this.ownSchema(otherFields, value, derived)
    const parts: Array<SpecSchema> = []
    const add = (part: SpecSchema | undefined) => part !== undefined && parts.push(part)
    if (typeof $ref === "string") {
      const target = this.spec.resolve(value)
      // A reference does not count as a level of nesting.
      add(target === undefined ? undefined : this.#read(target, path, budget))
    }
    let { description } = ownSchema.fields
    let inline: unknown
    for (const part of listOf(allOf).slice(0, maxParts)) {
      add(this.#read(part, path, budget))
      if (!isFields(part) || part.$ref !== undefined) continue
      // An inline part, or a part with only descriptive keywords, describes this value. A component describes all its
      // uses, so its description counts last.
      if (Object.keys(part).every((name) => annotations.test(name))) description ??= part.description
      inline ??= part.description
    }
    description ??= inline
    const choices: Array<Choice> = []
    for (const choice of ownSchema.choices) {
      const options = choice.options.filter(({ schema }) => fieldsOf(schema).type !== "null")
      const singleOption = options.length === 1 ? this.#read(options[0]!.schema, path, budget) : undefined
      // A nullable object stays an alternative, so that its properties are listed under its name.
      const isObject = singleOption?.fields.properties !== undefined && options.length < choice.options.length
      if (singleOption !== undefined && !isObject) add(singleOption)
      else if (options.length > 0) choices.push({ ...choice, options })
    }
    const isNullable = ownSchema.choices.some(({ options }) =>
      options.some(({ schema }) => fieldsOf(schema).type === "null")
    )
    const fields = {
      ...ownSchema.fields,
      ...(description !== undefined && { description }),
      ...(isNullable && { nullable: true })
    }
    return parts.reduce((whole, part) => this.#merge(whole, part, parts.length), { ...ownSchema, fields, choices })
  }

  #merge(first: SpecSchema, second: SpecSchema, count: number): SpecSchema {
    const { example, examples, default: defaultValue, ...fields } = second.fields
    // The example of one part among several is not an example of the whole.
    const isWhole = count === 1
    const mergedFields = isWhole
      ? second.fields
      : defaultValue === undefined || isFields(defaultValue)
        ? fields
        : { ...fields, default: defaultValue }
    const sample = example ?? listOf(examples)[0] ?? (isFields(defaultValue) ? defaultValue : undefined)
    return {
      key: first.key,
      name: first.name,
      fields: MergedSchema.merge(first.fields, mergedFields, this.mergeSchemas),
      choices: [...first.choices, ...second.choices],
      conditions: [...first.conditions, ...second.conditions],
      excluded: [...first.excluded, ...second.excluded],
      partExamples: [
        ...first.partExamples,
        ...second.partExamples,
        ...(isWhole || sample === undefined ? [] : [sample])
      ]
    }
  }

  /** Returns a schema that requires both schemas. Returns the identical object for an equal pair. */
  readonly mergeSchemas = (first: unknown, second: unknown): unknown => {
    if (first === second || second === true || second === undefined) return first
    if (first === true || first === undefined) return second
    if (!isFields(first) || !isFields(second))
      return first === false || second === false ? false : isFields(first) ? first : second
    let mergesOfFirst = this.cachedMerges.get(first)
    if (mergesOfFirst === undefined) this.cachedMerges.set(first, (mergesOfFirst = new WeakMap()))
    let schema = mergesOfFirst.get(second)
    if (schema === undefined) mergesOfFirst.set(second, (schema = { allOf: [first, second] }))
    return schema
  }

  /** Returns the schema that consists of the keywords next to `$ref` and `allOf`. */
  ownSchema(keywords: Fields, value: Fields, derived: ReadonlyArray<Fields>): SpecSchema {
    const { oneOf, anyOf, not, if: condition, then, else: otherwise, ...fields } = keywords
    const property = discriminatorOf(value)
    const kind = property === "" ? undefined : this.#kindBelow(value, derived)
    const withKind = kind && {
      properties: {
        [property]: this.mergeSchemas(fieldsOf(fields.properties)[property], this.#kindSchema(value, kind))
      }
    }
    const choices =
      kind !== undefined
        ? []
        : [this.#choice("oneOf", oneOf, value, derived), this.#choice("anyOf", anyOf, value, derived)].filter(
            (choice) => choice !== undefined
          )
    if (
      property !== "" &&
      kind === undefined &&
      choices.length === 0 &&
      !derived.some((descendant) => components(this.spec).names.has(descendant))
    ) {
      const options = this.#children(value).map((schema) => this.#option(schema, value))
      if (options.length > 0) choices.push({ keyword: "oneOf", options })
    }
    return {
      key: value,
      name: components(this.spec).names.get(value) ?? "",
      fields: {
        ...MergedSchema.normalizeBounds(fields),
        ...(withKind && { properties: { ...fieldsOf(fields.properties), ...withKind.properties } })
      },
      choices,
      conditions: condition === undefined ? [] : [{ test: condition, thenSchema: then, elseSchema: otherwise }],
      excluded: not === undefined ? [] : [not],
      partExamples: []
    }
  }

  #choice(
    keyword: Choice["keyword"],
    list: unknown,
    value: Fields,
    derived: ReadonlyArray<Fields>
  ): Choice | undefined {
    const all = listOf(list)
    // If a schema extends this schema by `allOf`, the extending schema is one of these alternatives. It does not list
    // the alternatives again.
    if (
      all.length === 0 ||
      all.some(
        (alternative) => isFields(alternative) && derived.includes(this.spec.resolve(alternative) ?? alternative)
      )
    )
      return undefined
    return { keyword, options: all.map((schema) => this.#option(schema, value)) }
  }

  #option(schema: unknown, parent: Fields): Option {
    const property = discriminatorOf(parent)
    const target = isFields(schema) ? this.spec.resolve(schema) : undefined
    const values = property === "" || target === undefined ? [] : this.#kinds(parent, target, schemaName(schema))
    return values.length === 0 ? { schema } : { schema, kind: { property, values } }
  }

  /**
   * Returns the values of a parent's discriminator for a schema that extends the parent. Undefined without such values.
   */
  #kindBelow(parent: Fields, derived: ReadonlyArray<Fields>): ReadonlyArray<string> | undefined {
    const names = components(this.spec).names
    const listed = [...listOf(parent.oneOf), ...listOf(parent.anyOf)].map((alternative) =>
      this.spec.resolve(alternative)
    )
    for (const child of derived) {
      const name = names.get(child)
      const values = this.#kinds(parent, child, listed.length === 0 || listed.includes(child) ? name : undefined)
      if (values.length > 0) return values
    }
    return undefined
  }

  /** Returns the discriminator values of a child from the mapping, or else its name. */
  #kinds(parent: Fields, child: Fields, name: string | undefined): ReadonlyArray<string> {
    const mappedNames = Object.entries(fieldsOf(fieldsOf(parent.discriminator).mapping))
      .filter(([, target]) => this.#mappedSchema(target) === child)
      .map(([value]) => value)
    return mappedNames.length > 0 ? mappedNames : name === undefined ? [] : [name]
  }

  #mappedSchema(target: unknown): Fields | undefined {
    const text = textOf(target)
    if (text === "") return undefined
    return this.spec.schemas.has(text)
      ? this.spec.resolve(this.spec.schemas.get(text))
      : this.spec.resolve({ $ref: text })
  }

  #kindSchema(parent: Fields, values: ReadonlyArray<string>): Fields {
    const cached = this.#options.get(parent) ?? []
    const key = JSON.stringify(values)
    let schema = cached.find((cachedSchema) => JSON.stringify(cachedSchema.enum) === key)
    if (schema === undefined) {
      schema = { enum: values }
      this.#options.set(parent, [...cached, schema])
    }
    return schema
  }

  /** Returns references to the schemas of the mapping, then to the schemas that extend the parent. */
  #children(parent: Fields): ReadonlyArray<Fields> {
    const refsByTarget = new Map<unknown, Fields>()
    const add = (ref: Fields) => {
      const target = this.spec.resolve(ref)
      if (target !== undefined && target !== parent && !refsByTarget.has(target)) refsByTarget.set(target, ref)
    }
    for (const target of Object.values(fieldsOf(fieldsOf(parent.discriminator).mapping)).map(textOf)) {
      if (target !== "") add(this.spec.schemas.has(target) ? refTo(target) : { $ref: target })
    }
    for (const name of components(this.spec).children.get(parent) ?? []) add(refTo(name))
    return [...refsByTarget.values()]
  }
}

/** Returns the name of the discriminator property; empty if the schema has no discriminator. */
const discriminatorOf = ({ discriminator }: Fields): string =>
  textOf(discriminator) || textOf(fieldsOf(discriminator).propertyName)

const anySchema = (value: Fields): SpecSchema => ({
  key: value,
  name: "",
  fields: {},
  choices: [],
  conditions: [],
  excluded: [],
  partExamples: []
})

export const isRequired = ({ fields }: SpecSchema, name: string): boolean => listOf(fields.required).includes(name)

/** Returns the types of a schema's values without duplicates. */
export const typesOf = ({ fields }: SpecSchema): ReadonlyArray<string> => {
  const types = MergedSchema.typesOf(fields)
  if (types !== undefined && types.some((type) => type !== "null")) return types
  const impliedTypes =
    fields.properties !== undefined || isFields(fields.additionalProperties) || fields.patternProperties !== undefined
      ? ["object"]
      : fields.items !== undefined || fields.prefixItems !== undefined
        ? ["array"]
        : []
  return [...impliedTypes, ...(types ?? (fields.nullable === true ? ["null"] : []))]
}
