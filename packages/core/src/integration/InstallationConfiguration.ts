/**
 * Checks a configuration against the declaration of its integration: types of values, defaults, missing required
 * values.
 *
 * Undeclared properties are kept unchanged: integrations store credentials and other values there.
 */
import type { Configuration, InstallationStatus } from "./Installation.ts"
import type { ConfigurationProperty, ConfigurationSchema, IntegrationConfiguration } from "./IntegrationManifest.ts"

const schemaOf = (definition: IntegrationConfiguration | undefined): ConfigurationSchema | undefined =>
  definition !== undefined && "properties" in definition ? definition : undefined

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

/** Returns the problem of a value, or undefined if it is valid. The page that a button opens may set any value. */
const problemOf = (property: ConfigurationProperty, value: unknown): string | undefined => {
  if (!isSet(value) || property.type === "button") return undefined
  if (typeof value !== property.type) return `Expected a ${property.type}`
  if (property.type === "string" && property.enum !== undefined && !property.enum.includes(value as string)) {
    return `Expected one of ${property.enum.join(", ")}`
  }
  return undefined
}

/** Returns the problems of a configuration, each with the path of its property. */
export const problemsOf = (
  configuration: Configuration,
  definition: IntegrationConfiguration | undefined
): ReadonlyArray<{ readonly path: string; readonly message: string }> =>
  Object.entries(schemaOf(definition)?.properties ?? {}).flatMap(([name, property]) => {
    const message = problemOf(property, Object.hasOwn(configuration, name) ? configuration[name] : undefined)
    return message === undefined ? [] : [{ path: `body.configuration.${name}`, message }]
  })

/** Returns the configuration with defaults for properties that are not set. */
export const withDefaults = (
  configuration: Configuration,
  definition: IntegrationConfiguration | undefined
): Configuration => ({
  ...Object.fromEntries(
    Object.entries(schemaOf(definition)?.properties ?? {}).flatMap(([name, property]) =>
      "default" in property && property.default !== undefined ? [[name, property.default]] : []
    )
  ),
  ...configuration
})

/** Returns `paused` if the installation is paused, `pending` if a required value is missing, `active` otherwise. */
export const statusOf = (
  configuration: Configuration,
  definition: IntegrationConfiguration | undefined,
  paused: boolean
): InstallationStatus => {
  if (paused) return "paused"
  const completeConfiguration = withDefaults(configuration, definition)
  const isValueMissing = (schemaOf(definition)?.required ?? []).some(
    (name) => !Object.hasOwn(completeConfiguration, name) || !isSet(completeConfiguration[name])
  )
  return isValueMissing ? "pending" : "active"
}
