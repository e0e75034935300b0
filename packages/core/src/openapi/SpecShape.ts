/**
 * Shapes of the objects of OpenAPI 3 and Swagger 2.0 that matter to a renderer: the fields of each object, and its
 * required fields.
 *
 * Rules:
 * - `string`, `boolean`, `number`, `texts` (a list), `list`, `object`, `any`: a value of this type.
 * - `@name`: an object of this shape.
 * - a `[]` or `{}` prefix: a list or a map of the rule that follows.
 */

export interface Shape {
  /** Name of the object in messages. */
  readonly title: string
  readonly fields: { readonly [name: string]: string }
  readonly required?: ReadonlyArray<string>
  /** True if the object allows only these fields and extensions. Default: false. */
  readonly isClosed?: boolean
  /** Rule of every field of the object. */
  readonly eachField?: string
}

const stringFields = (...names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, "string"]))
const fieldsWithRule = (rule: string, ...names: ReadonlyArray<string>) =>
  Object.fromEntries(names.map((name) => [name, rule]))

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
const security = "[]object"

const parameterFields = {
  ...stringFields("description", "style"),
  ...fieldsWithRule("boolean", "required", "deprecated", "allowEmptyValue", "explode", "allowReserved"),
  schema: "@schema",
  content: "{}@media",
  example: "any",
  examples: "{}@example"
}

const operationFields = {
  ...stringFields("summary", "description", "operationId"),
  tags: "texts",
  externalDocs: "object",
  deprecated: "boolean",
  security,
  servers: "[]@server"
}

const schema: Shape = {
  title: "schema",
  fields: {
    ...stringFields("title", "description", "format", "pattern", "contentEncoding", "contentMediaType"),
    ...fieldsWithRule("number", "minimum", "maximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems"),
    ...fieldsWithRule("number", "minProperties", "maxProperties", "minContains", "maxContains"),
    ...fieldsWithRule("boolean", "nullable", "readOnly", "writeOnly", "deprecated", "uniqueItems"),
    ...fieldsWithRule("{}@schema", "properties", "patternProperties", "dependentSchemas", "$defs", "definitions"),
    ...fieldsWithRule("[]@schema", "allOf", "oneOf", "anyOf", "prefixItems"),
    ...fieldsWithRule("@schema", "items", "not", "if", "then", "else", "contains", "propertyNames"),
    ...fieldsWithRule("@schema", "additionalProperties", "unevaluatedProperties", "unevaluatedItems"),
    required: "texts",
    enum: "list"
  }
}

export const shapes: { readonly [name: string]: Shape } = {
  openapi: {
    title: "spec",
    required: ["info"],
    fields: {
      info: "@info",
      servers: "[]@server",
      paths: "{}@pathItem",
      webhooks: "{}@pathItem",
      "x-webhooks": "{}@pathItem",
      components: "@components",
      security,
      tags: "[]@tag"
    }
  },
  info: {
    title: "info",
    required: ["title", "version"],
    fields: stringFields("title", "version", "description", "summary", "termsOfService")
  },
  server: {
    title: "server",
    required: ["url"],
    fields: { ...stringFields("url", "description"), variables: "{}@variable" }
  },
  variable: {
    title: "variable",
    required: ["default"],
    fields: { ...stringFields("default", "description"), enum: "list" }
  },
  tag: { title: "tag", required: ["name"], fields: stringFields("name", "description", "summary") },
  components: {
    title: "components",
    fields: {
      schemas: "{}@schema",
      responses: "{}@response",
      parameters: "{}@parameter",
      examples: "{}@example",
      requestBodies: "{}@body",
      headers: "{}@header",
      securitySchemes: "{}@scheme",
      links: "{}@link",
      callbacks: "{}@callback",
      pathItems: "{}@pathItem",
      mediaTypes: "{}@media"
    }
  },
  pathItem: {
    title: "path",
    isClosed: true,
    fields: {
      ...stringFields("summary", "description"),
      ...fieldsWithRule("@operation", ...methods, "query"),
      additionalOperations: "{}@operation",
      servers: "[]@server",
      parameters: "[]@parameter"
    }
  },
  operation: {
    title: "operation",
    isClosed: true,
    fields: {
      ...operationFields,
      parameters: "[]@parameter",
      requestBody: "@body",
      responses: "{}@response",
      callbacks: "{}@callback"
    }
  },
  callback: { title: "callback", fields: {}, eachField: "@pathItem" },
  parameter: {
    title: "parameter",
    isClosed: true,
    required: ["name", "in"],
    fields: { ...stringFields("name", "in"), ...parameterFields }
  },
  header: { title: "header", isClosed: true, fields: { ...stringFields("name", "in"), ...parameterFields } },
  body: {
    title: "request body",
    isClosed: true,
    required: ["content"],
    fields: { description: "string", required: "boolean", content: "{}@media" }
  },
  media: {
    title: "type of content",
    isClosed: true,
    fields: {
      ...fieldsWithRule("@schema", "schema", "itemSchema"),
      example: "any",
      examples: "{}@example",
      encoding: "{}@encoding",
      itemEncoding: "@encoding",
      prefixEncoding: "list"
    }
  },
  encoding: { title: "encoding", fields: { ...stringFields("contentType", "style"), headers: "{}@header" } },
  response: {
    title: "response",
    isClosed: true,
    required: ["description"],
    fields: { ...stringFields("description", "summary"), headers: "{}@header", content: "{}@media", links: "{}@link" }
  },
  example: { title: "example", fields: stringFields("summary", "description", "externalValue") },
  link: {
    title: "link",
    fields: { ...stringFields("operationId", "operationRef", "description"), parameters: "object" }
  },
  scheme: {
    title: "security scheme",
    required: ["type"],
    fields: stringFields("type", "description", "name", "in", "scheme")
  },
  schema,
  swagger: {
    title: "spec",
    required: ["info", "paths"],
    fields: {
      info: "@info",
      ...stringFields("host", "basePath"),
      ...fieldsWithRule("texts", "schemes", "consumes", "produces"),
      paths: "{}@pathItem2",
      definitions: "{}@schema",
      parameters: "{}@parameter2",
      responses: "{}@response2",
      securityDefinitions: "{}@scheme",
      security,
      tags: "[]@tag"
    }
  },
  pathItem2: {
    title: "path",
    isClosed: true,
    fields: { ...fieldsWithRule("@operation2", ...methods.slice(0, 7)), parameters: "[]@parameter2" }
  },
  operation2: {
    title: "operation",
    isClosed: true,
    required: ["responses"],
    fields: {
      ...operationFields,
      ...fieldsWithRule("texts", "schemes", "consumes", "produces"),
      parameters: "[]@parameter2",
      responses: "{}@response2"
    }
  },
  parameter2: {
    title: "parameter",
    required: ["name", "in"],
    fields: { ...schema.fields, ...stringFields("name", "in", "type"), required: "boolean", schema: "@schema" }
  },
  response2: {
    title: "response",
    isClosed: true,
    required: ["description"],
    fields: { description: "string", schema: "@schema", headers: "{}object", examples: "object" }
  }
}

/** Allowed values of some fields, by shape and field. */
export const values: { readonly [field: string]: ReadonlyArray<string> } = {
  "parameter.in": ["path", "query", "querystring", "header", "cookie"],
  "parameter2.in": ["path", "query", "header", "formData", "body"]
}
