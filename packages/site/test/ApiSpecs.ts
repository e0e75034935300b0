/** Specifications of a small API for tests of its reference and samples. */

/** Returns a specification with these paths and schemas. */
export const specOf = (
  paths: object,
  schemas: object = {},
  more: { readonly components?: object; readonly [field: string]: unknown } = {}
) => ({
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  paths,
  servers: [{ url: "https://{region}.example.com/v1/", variables: { region: { default: "eu" } } }],
  ...more,
  components: { schemas, ...more.components }
})

/** Returns a reference to a schema of the specification. */
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
