/** Specs for tests: small, hostile, and of any size. */

export const info = { title: "Pets", version: "1" }

export const small = (title = "Pets", openapi = "3.1.0"): string =>
  JSON.stringify({ openapi, info: { ...info, title }, paths: {} })

export const yaml = "openapi: 3.0.3\ninfo:\n  title: Pets\n  version: '1'\npaths: {}\n"

/** Returns a spec of a few hundred characters whose YAML aliases expand to a billion words. */
export const billionLaughs = (): string => {
  const names = Array.from("abcdefghi")
  const lines = names.map((name, i) => {
    const items = i === 0 ? Array<string>(10).fill("lol") : Array<string>(10).fill(`*${names[i - 1]!}`)
    return `${name}: &${name} [${items.join(", ")}]`
  })
  return `openapi: 3.0.3\n${lines.join("\n")}\n`
}

/** Returns a spec of at least this size as JSON, with two operations and a schema for about every 2 KB. */
export const large = (bytes: number, openapi = "3.0.3"): string => {
  const paths: Record<string, unknown> = {}
  const schemas: Record<string, unknown> = {}
  for (let size = 0, i = 0; size < bytes; i++) {
    const ref = { $ref: `#/components/schemas/Thing${i}` }
    const schema = {
      type: "object",
      required: ["id"],
      description: `A thing, number ${i}`,
      properties: {
        id: { type: "string", format: "uuid" },
        tags: { type: "array", items: { type: "string" } },
        next: ref
      }
    }
    const operation = (method: string) => ({
      operationId: `${method}Thing${i}`,
      summary: `What ${method} does to thing ${i}`,
      description: "What it does, and when, and to what, and why one would. ".repeat(8),
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      responses: { 200: { description: "It", content: { "application/json": { schema: ref } } } }
    })
    const path = { get: operation("get"), put: operation("put") }
    schemas[`Thing${i}`] = schema
    paths[`/things/${i}/{id}`] = path
    size += JSON.stringify(schema).length + JSON.stringify(path).length
  }
  return JSON.stringify({ openapi, info, paths, components: { schemas } })
}

/** A Swagger 2.0 spec with all constructs that OpenAPI 3.0 expresses differently. */
export const swagger = {
  swagger: "2.0",
  info,
  host: "api.example.com",
  basePath: "/v1",
  schemes: ["https"],
  consumes: ["application/json"],
  produces: ["application/json"],
  securityDefinitions: {
    basic: { type: "basic" },
    oauth: {
      type: "oauth2",
      flow: "accessCode",
      authorizationUrl: "https://example.com/a",
      tokenUrl: "https://example.com/t",
      scopes: { read: "Read" }
    }
  },
  parameters: {
    Limit: { name: "limit", in: "query", type: "integer", format: "int32", default: 10 },
    Pet: { name: "pet", in: "body", required: true, schema: { $ref: "#/definitions/Pet" } }
  },
  responses: { Missing: { description: "Not there", schema: { $ref: "#/definitions/Pet" } } },
  paths: {
    "/pets": {
      parameters: [{ $ref: "#/parameters/Limit" }],
      get: {
        parameters: [
          { name: "kinds", in: "query", type: "array", items: { type: "string" }, collectionFormat: "multi" }
        ],
        responses: {
          200: { description: "Pets", schema: { type: "array", items: { $ref: "#/definitions/Pet" } } },
          404: { $ref: "#/responses/Missing" },
          default: { description: "A file", schema: { type: "file" } }
        }
      },
      put: { parameters: [{ $ref: "#/parameters/Pet" }], responses: { 204: { description: "Done" } } },
      post: {
        consumes: ["multipart/form-data"],
        parameters: [
          { name: "photo", in: "formData", type: "file", required: true },
          { name: "name", in: "formData", type: "string" }
        ],
        responses: { 201: { description: "Made" } }
      },
      patch: {
        consumes: ["application/x-www-form-urlencoded"],
        parameters: [{ name: "name", in: "formData", type: "string" }],
        responses: { 204: { description: "Done" } }
      }
    }
  },
  definitions: {
    Pet: {
      type: "object",
      discriminator: "kind",
      required: ["kind"],
      properties: { kind: { type: "string" }, id: { type: "integer", format: "int64", readOnly: true } },
      example: { kind: "cat" }
    }
  },
  "x-more": { kept: true }
}
