/** Schemas of the events that integrations receive, from the description in the public client's package. */
import { readFileSync } from "node:fs"
import { Validator } from "@cfworker/json-schema"

const { components } = JSON.parse(
  readFileSync(new URL("../../../../node_modules/@gitbook/api/spec/openapi.json", import.meta.url), "utf8")
)

// Without a type, `PlainObject` also matches strings and numbers, and is ambiguous in a `oneOf` with these.
components.schemas.PlainObject.type = "object"

// An event of a space also matches the schema for installations, so `oneOf` becomes `anyOf`.
const [place] = components.schemas.UIRenderEvent.allOf
place.anyOf = place.oneOf
delete place.oneOf

const schemaOf = (type: string): string | undefined =>
  Object.keys(components.schemas).find((name) => {
    const parts: ReadonlyArray<any> = components.schemas[name].allOf ?? []
    return name.endsWith("Event") && parts.some(({ properties }) => properties?.type?.enum?.includes(type))
  })

/** Types of all events. */
export const eventTypes: ReadonlyArray<string> = components.schemas.Event.oneOf.flatMap(({ $ref }: any) => {
  const parts: ReadonlyArray<any> = components.schemas[$ref.split("/").at(-1)].allOf
  return parts.flatMap(({ properties }) => properties?.type?.enum ?? [])
})

/** Returns the validation errors of an event. */
export const problemsOf = (event: { readonly type: string }): ReadonlyArray<string> => {
  const name = schemaOf(event.type)
  if (name === undefined) return [`There is no event ${event.type}`]
  const validator = new Validator({ $ref: `#/components/schemas/${name}`, components } as never, "2020-12", false)
  return validator.validate(event).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
}
