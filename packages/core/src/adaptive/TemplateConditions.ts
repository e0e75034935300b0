/**
 * Ready-made conditions on the claims of a site's schema. A condition tests that a boolean is true, that a text or list
 * contains one of the values of its schema, or that any other claim is present.
 *
 * Limits: 1,000 conditions in total; conditions that exceed the maximum length of a condition are left out.
 */
import { Schema } from "effect"
import type { AdaptiveJsonSchema, ClaimSchema } from "./AdaptiveSchema.ts"
import { ConditionText, maxLength } from "@lectern/document/condition/ConditionText"

const maxTemplates = 1000

/** A ready-made condition as an API resource. */
export const TemplateCondition = Schema.Struct({
  object: Schema.Literal("template-condition"),
  /** The condition in words. */
  description: Schema.String,
  condition: ConditionText
})
export interface TemplateCondition extends Schema.Schema.Type<typeof TemplateCondition> {}

export const templateConditions = (schema: AdaptiveJsonSchema): ReadonlyArray<TemplateCondition> => {
  const conditions: Array<TemplateCondition> = []
  for (const [description, condition] of conditionsIn(schema, "visitor.claims", "")) {
    if (condition.length > maxLength) continue
    if (conditions.push({ object: "template-condition", description, condition }) === maxTemplates) break
  }
  return conditions
}

type Template = readonly [description: string, condition: string]

function* conditionsIn(
  schema: Pick<AdaptiveJsonSchema, "properties">,
  claims: string,
  names: string
): Generator<Template> {
  for (const [name, claim] of Object.entries(schema.properties)) {
    yield* conditionsFor(claim, claims + access(name), names === "" ? name : `${names}.${name}`)
  }
}

function* conditionsFor(claim: ClaimSchema, path: string, name: string): Generator<Template> {
  switch (claim.type) {
    case "boolean":
      yield [`${name} is true`, `${path} === true`]
      yield [`${name} is not true`, `${path} !== true`]
      return
    case "object":
      return yield* conditionsIn(claim, path, name)
    case "string":
      if (claim.enum === undefined) break
      for (const value of new Set(claim.enum)) yield [`${name} is ${quoted(value)}`, `${path} === ${quoted(value)}`]
      return
    case "array":
      if (claim.items.type !== "string" || claim.items.enum === undefined) break
      for (const value of new Set(claim.items.enum)) {
        yield [`${name} has ${quoted(value)}`, `${path}.includes(${quoted(value)})`]
      }
      return
  }
  yield [`${name} is known`, `${path} !== undefined`]
  yield [`${name} is not known`, `${path} === undefined`]
}

const quoted = (text: string) => JSON.stringify(text)

const access = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${quoted(name)}]`)
