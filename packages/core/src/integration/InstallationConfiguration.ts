/**
 * Checks a configuration against its integration's declaration: whether its values are of their types, which
 * defaults count where nothing was set, and whether something required is missing.
 *
 * Properties that are not declared are kept as they are: integrations keep there what they were given
 * on the way, credentials for instance.
 */
import type { Configuration, InstallationStatus } from "./Installation.ts"
import type { ConfigurationProperty, ConfigurationSchema, IntegrationConfiguration } from "./IntegrationManifest.ts"

const declared = (of: IntegrationConfiguration | undefined): ConfigurationSchema | undefined =>
  of !== undefined && "properties" in of ? of : undefined

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

/** Objection to a value; undefined where there is none. The target of a button sets any value. */
const problem = (property: ConfigurationProperty, value: unknown): string | undefined => {
  if (!isSet(value) || property.type === "button") return undefined
  if (typeof value !== property.type) return `Expected a ${property.type}`
  if (property.type === "string" && property.enum !== undefined && !property.enum.includes(value as string)) {
    return `Expected one of ${property.enum.join(", ")}`
  }
  return undefined
}

/** Problems of a configuration, each with its property. */
export const problems = (
  configuration: Configuration,
  of: IntegrationConfiguration | undefined
): ReadonlyArray<{ readonly path: string; readonly message: string }> =>
  Object.entries(declared(of)?.properties ?? {}).flatMap(([name, property]) => {
    const message = problem(property, Object.hasOwn(configuration, name) ? configuration[name] : undefined)
    return message === undefined ? [] : [{ path: `body.configuration.${name}`, message }]
  })

/** The configuration with the defaults of what was not set. */
export const withDefaults = (
  configuration: Configuration,
  of: IntegrationConfiguration | undefined
): Configuration => ({
  ...Object.fromEntries(
    Object.entries(declared(of)?.properties ?? {}).flatMap(([name, property]) =>
      "default" in property && property.default !== undefined ? [[name, property.default]] : []
    )
  ),
  ...configuration
})

/** How far it is: `paused` where somebody stopped it, `pending` while something required is missing. */
export const statusOf = (
  configuration: Configuration,
  of: IntegrationConfiguration | undefined,
  paused: boolean
): InstallationStatus => {
  if (paused) return "paused"
  const whole = withDefaults(configuration, of)
  const missing = (declared(of)?.required ?? []).some((name) => !Object.hasOwn(whole, name) || !isSet(whole[name]))
  return missing ? "pending" : "active"
}
