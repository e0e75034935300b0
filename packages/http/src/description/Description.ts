/**
 * The description of the whole interface, as OpenAPI 3.1: what `OpenApi.fromApi` makes of each group, with a
 * sentence for each operation and parameter, schemas that have names and are written once, numbers and booleans in
 * queries, headers that operations go by, examples of bodies, and of the errors those that can happen. It is made in steps, so that others go on
 * meanwhile.
 */
import { Slice } from "@lectern/core/storage/Slice"
import { Effect, Schema } from "effect"
import { HttpApi, type HttpApiEndpoint, OpenApi } from "effect/http-api"
import { LecternApi } from "../api/LecternApi.ts"
import { Examples } from "./Examples.ts"
import { type JsonSchema, mapSubschemas } from "./JsonSchema.ts"
import { statusesOf } from "./OperationErrors.ts"
import * as RequestHeaders from "./RequestHeaders.ts"
import { bodyName, SchemaNames } from "./SchemaNames.ts"

type Content = Record<string, { schema: JsonSchema; example?: unknown }>

export interface Response {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: RequestHeaders.Headers
  readonly content?: Content
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
}

export interface Operation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary: string
  readonly description: string
  readonly security: ReadonlyArray<object>
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

export interface Description {
  readonly openapi: string
  readonly info: {
    readonly title: string
    readonly description: string
    readonly version: string
    readonly license: object
  }
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly tags: ReadonlyArray<object>
  readonly security: ReadonlyArray<object>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, Response>>
    readonly securitySchemes: object
  }
}

/**
 * A schema without the bounds that every integer of JavaScript has, and without a word on other fields: those that
 * are sent are ignored, and answers may get more. Generators of clients want to know of each list what is in it, and
 * that what has no fields is an object: for Effect it is all that isn't null.
 */
const simplified = (schema: JsonSchema): JsonSchema => {
  if (isNotNull(schema)) return { type: "object" }
  const { minimum, maximum, additionalProperties, ...rest } = mapSubschemas(schema, simplified)
  const isUntypedArray = rest.type === "array" && rest.items === undefined && rest["prefixItems"] === undefined
  return {
    ...rest,
    ...(isUntypedArray && { items: {} }),
    ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
    ...(minimum !== undefined && minimum !== -Number.MAX_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum })
  }
}

const isNotNull = ({ not, ...rest }: JsonSchema) =>
  JSON.stringify(not) === '{"type":"null"}' && Object.keys(rest).length === 0

/** The parameters of a query by their names, as a client has them before they are text. */
const queryTypesOf = ({ query }: HttpApiEndpoint.Top): Readonly<Record<string, JsonSchema>> =>
  query === undefined ? {} : ((Schema.toJsonSchemaDocument(Schema.toType(query)).schema as JsonSchema).properties ?? {})

/** The schema of a parameter, and the sentence that stands on its key, of which Effect makes a part of the schema. */
const parameterSchema = ({ allOf = [], ...rest }: JsonSchema): Pick<Parameter, "description" | "schema"> => {
  const isSentence = (part: JsonSchema) => Object.keys(part).join() === "description"
  const description = allOf.find(isSentence)?.["description"]
  const parts = allOf.filter((part) => !isSentence(part))
  return {
    description: typeof description === "string" ? description : "",
    schema: { ...rest, ...(parts.length > 0 && { allOf: parts }) }
  }
}

/** `listInOrganization` as words: "List in organization". */
const summaryOf = (name: string): string => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** An operation of a group, with what it is to be known by. */
interface OperationPart {
  readonly path: string
  readonly method: string
  readonly group: string
  readonly name: string
  readonly endpoint: HttpApiEndpoint.Top
  readonly spec: OpenApi.OpenAPISpecOperation
}

/** The content of bodies, each with the name for one that has none of its own. */
const bodiesOf = ({ group, spec, name }: OperationPart): ReadonlyArray<readonly [content: Content, name: string]> => {
  const fallbackName = bodyName(group, name)
  const requestBodies =
    spec.requestBody === undefined ? [] : [[spec.requestBody.content as Content, fallbackName] as const]
  const responseBodies = Object.entries(spec.responses).flatMap(([status, { content }]) =>
    content === undefined || Number(status) >= 400
      ? []
      : [[content as Content, requestBodies.length === 0 ? fallbackName : `${fallbackName}Answer`] as const]
  )
  return [...requestBodies, ...responseBodies]
}

/** Describes the interface of a server at this URL. */
export const description = Effect.fnUntraced(function* (server: string): Effect.fn.Return<Description> {
  const slice = yield* Slice.start
  const emptyApi = () => HttpApi.make("lectern").annotateMerge(LecternApi.annotations)
  const api = OpenApi.fromApi(emptyApi())
  const operationParts: Array<OperationPart> = []
  const schemas: Record<string, JsonSchema> = {}
  const tags: Array<object> = []
  const securitySchemes: Record<string, object> = {}
  for (const [group, { endpoints }] of Object.entries(LecternApi.groups)) {
    const groupSpec = OpenApi.fromApi(emptyApi().add(LecternApi.groups[group as keyof typeof LecternApi.groups]))
    for (const [path, methods] of Object.entries(groupSpec.paths)) {
      for (const [method, spec] of Object.entries(methods as Record<string, OpenApi.OpenAPISpecOperation>)) {
        const name = spec.operationId.slice(group.length + 1)
        const endpoint = (endpoints as Readonly<Record<string, HttpApiEndpoint.Top>>)[name]!
        operationParts.push({ path, method, group, name, endpoint, spec })
      }
    }
    for (const [name, schema] of Object.entries(groupSpec.components.schemas))
      schemas[name] = simplified(schema as JsonSchema)
    Object.assign(securitySchemes, groupSpec.components.securitySchemes)
    tags.push(...groupSpec.tags)
    if (slice.isOver()) yield* slice.pause
  }

  const names = new SchemaNames(schemas)
  for (const part of operationParts) {
    for (const [content, name] of bodiesOf(part)) {
      for (const body of Object.values(content)) {
        body.schema = simplified(body.schema)
        names.add(body.schema, name)
      }
    }
    if (slice.isOver()) yield* slice.pause
  }
  names.assignNames()
  yield* slice.pause

  const responses: Record<string, Response> = {}
  const paths: Record<string, Record<string, Operation>> = {}
  const bodies: Array<{ schema: JsonSchema; example?: unknown }> = []
  for (const part of operationParts) {
    const { endpoint, spec, method, name, path } = part
    for (const [content] of bodiesOf(part)) {
      for (const body of Object.values(content)) body.schema = names.referenceTo(body.schema)
    }
    bodies.push(
      ...Object.entries(spec.requestBody?.content ?? {}).flatMap(([type, body]) => (isJson(type) ? body : []))
    )
    const types = queryTypesOf(endpoint)
    const parameters = [
      ...spec.parameters.map((parameter): Parameter => ({
        name: parameter.name,
        in: parameter.in,
        required: parameter.required,
        ...parameterSchema(
          simplified((parameter.in === "query" && types[parameter.name]) || (parameter.schema as JsonSchema))
        )
      })),
      ...RequestHeaders.parametersOf(endpoint)
    ]
    const statuses = statusesOf(endpoint)
    const operationResponses: Record<string, Response> = {}
    for (const [status, answer] of Object.entries(spec.responses as Record<string, Response>)) {
      const withHeaders = { ...answer, ...RequestHeaders.headersOf(endpoint, status) }
      if (Number(status) < 400) operationResponses[status] = withHeaders
      else if (statuses.has(Number(status))) {
        const component = answer.description ?? status
        responses[component] = { ...withHeaders, description: errorDescriptions[component] ?? component }
        operationResponses[status] = { $ref: `#/components/responses/${component}` }
      }
    }
    for (const [status, description] of Object.entries(RequestHeaders.responsesOf(endpoint))) {
      const { content } = operationResponses["200"]!
      const headers = RequestHeaders.headersOf(endpoint, status)
      operationResponses[status] = { description, ...headers, ...(status === "206" && content && { content }) }
    }
    paths[path] = {
      ...paths[path],
      [method]: {
        operationId: spec.operationId,
        tags: spec.tags,
        summary: summaryOf(name),
        description: spec.description ?? "",
        security: spec.security,
        parameters,
        ...(spec.requestBody && { requestBody: spec.requestBody as NonNullable<Operation["requestBody"]> }),
        responses: operationResponses
      }
    }
    if (slice.isOver()) yield* slice.pause
  }
  const components = names.components
  yield* slice.pause
  const examples = new Examples(components)
  for (const body of bodies) body.example = examples.exampleFor(body.schema)
  yield* slice.pause
  return {
    openapi: api.openapi,
    info: { ...api.info, description: api.info.description ?? "", license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: server }],
    tags,
    security: [],
    paths,
    components: { schemas: components, responses, securitySchemes: { ...securitySchemes, bearer } }
  } satisfies Description
})

const isJson = (type: string) => /^application\/(?:.+\+)?json/.test(type)

/** Schemes are the same in any case, and readers of descriptions expect the lower one. */
const bearer = { type: "http", scheme: "bearer", description: "A token, made by `lectern token` or by signing on." }

const errorDescriptions: Readonly<Record<string, string>> = {
  BadRequest: "Something in the request is not as it should be: `issues` says where.",
  Unauthorized: "There is no token, or it is no good.",
  Forbidden: "The actor may see this and not do it.",
  NotFound: "There is no such thing, or the actor may not see it.",
  Conflict: "It can't be done as things are: the message says why.",
  PreconditionFailed: "Something has changed since, which the request counts on.",
  PayloadTooLarge: "The body, or something in it, is too large.",
  UnsupportedMediaType: "The body is not of a type that is read here.",
  RangeNotSatisfiable: "None of the bytes that were asked for is there.",
  UnprocessableContent: "It can't be made of what is there: the message says why.",
  TooManyRequests: "Too many requests: `Retry-After` says when to ask again.",
  InternalServerError: "Something went wrong that is not the caller's fault; it is logged under `requestId`.",
  BadGateway: "Another server had to answer first, and didn't as it should.",
  ServiceUnavailable: "The data can't be reached at the moment."
}
