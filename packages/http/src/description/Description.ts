/**
 * Describes the API as OpenAPI 3.1. Takes the result of `OpenApi.fromApi` for each group, and adds descriptions of
 * operations and parameters, types of query parameters, request headers, and examples of bodies. Each named schema is
 * defined once and referenced elsewhere. Each operation lists only the errors that it can return. Runs in time slices
 * (see `Slice`), so that other requests continue meanwhile.
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
 * Simplifies a schema: removes the bounds that all JavaScript integers have, and `additionalProperties: false`, since
 * unknown fields are ignored and responses may get new ones. Client generators need `items` for arrays and an object
 * type for schemas without fields; Effect describes the latter as "not null".
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

/** Returns the schemas of query parameters with their decoded types, by name. */
const queryTypesOf = ({ query }: HttpApiEndpoint.Top): Readonly<Record<string, JsonSchema>> =>
  query === undefined ? {} : ((Schema.toJsonSchemaDocument(Schema.toType(query)).schema as JsonSchema).properties ?? {})

/** Splits the schema of a parameter into the schema and the description of its key, which Effect adds to `allOf`. */
const parameterSchema = ({ allOf = [], ...rest }: JsonSchema): Pick<Parameter, "description" | "schema"> => {
  const isSentence = (part: JsonSchema) => Object.keys(part).join() === "description"
  const description = allOf.find(isSentence)?.["description"]
  const parts = allOf.filter((part) => !isSentence(part))
  return {
    description: typeof description === "string" ? description : "",
    schema: { ...rest, ...(parts.length > 0 && { allOf: parts }) }
  }
}

/** Converts the name of an operation to words: `listInOrganization` becomes "List in organization". */
const summaryOf = (name: string): string => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Operation of a group, with its path, method and name. */
interface OperationPart {
  readonly path: string
  readonly method: string
  readonly group: string
  readonly name: string
  readonly endpoint: HttpApiEndpoint.Top
  readonly spec: OpenApi.OpenAPISpecOperation
}

/** Returns the contents of request and responses, each with a fallback name for its schema. */
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

/** Describes the API of a server at a URL. */
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

/** Scheme names are case-insensitive, but readers of OpenAPI expect lower case. */
const bearer = { type: "http", scheme: "bearer", description: "A token, created by `lectern token` or by signing on." }

const errorDescriptions: Readonly<Record<string, string>> = {
  BadRequest: "The request is invalid: `issues` lists the invalid fields.",
  Unauthorized: "The token is missing or invalid.",
  Forbidden: "The actor may view the resource but not perform the operation.",
  NotFound: "The resource does not exist, or the actor may not view it.",
  Conflict: "The request conflicts with the current state of the resource: see the message.",
  PreconditionFailed: "The resource does not match the precondition, because it changed.",
  PayloadTooLarge: "The body, or a part of it, is too large.",
  UnsupportedMediaType: "The content type of the body is not supported.",
  Gone: "Events after the position were removed: see the message.",
  RangeNotSatisfiable: "The requested range is outside of the file.",
  UnprocessableContent: "The content can't be processed: see the message.",
  TooManyRequests: "Too many requests: retry after the time in `Retry-After`.",
  InternalServerError: "Internal error, logged under `requestId`.",
  BadGateway: "Another server failed or returned an invalid response.",
  ServiceUnavailable: "The server is temporarily unavailable."
}
