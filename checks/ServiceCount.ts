/**
 * Limits the services of the core: at most `maxServices`, each with at most 10 dependencies. A dependency is a service
 * that the file of a service imports at run time; types, tables and functions are none.
 */
import { parseSync } from "rolldown/utils"
import { readSources, type Source } from "./ServiceCycles.ts"

export interface ServiceLimits {
  readonly maxServices: number
  readonly maxDependencies: number
  /** Maximum number of dependencies of services that have more, by name. */
  readonly exceptions: Readonly<Record<string, number>>
}

const limits: ServiceLimits = {
  maxServices: 116,
  maxDependencies: 10,
  exceptions: {}
}

interface Service {
  readonly name: string
  readonly path: string
  /** Names of services. */
  readonly dependencies: ReadonlySet<string>
}

/** Returns a line for each exceeded limit, and for each unused exception. */
export const serviceCount = (root: string): ReadonlyArray<string> => excessServices(readSources(root), limits)

export const excessServices = (
  sources: ReadonlyArray<Source>,
  { maxServices, maxDependencies, exceptions }: ServiceLimits
): ReadonlyArray<string> => {
  const services = servicesOf(sources)
  const sizes = new Map(services.map(({ name, dependencies }) => [name, dependencies.size]))
  return [
    ...(services.length > maxServices
      ? [`The core has ${services.length} services, but at most ${maxServices} are allowed: write functions instead`]
      : []),
    ...services.flatMap(({ name, path, dependencies: { size } }) => {
      const max = exceptions[name] ?? maxDependencies
      return size > max ? [`${path}: ${name} has ${size} dependencies, but at most ${max} are allowed`] : []
    }),
    ...Object.keys(exceptions)
      .filter((name) => (sizes.get(name) ?? 0) <= maxDependencies)
      .map((name) => `Remove ${name} from the exceptions in ServiceCount.ts: it is unused`)
  ]
}

const serviceClass = /^export class (\w+)\s+extends\s+Context\.Service\s*</gm

export const servicesOf = (sources: ReadonlyArray<Source>): ReadonlyArray<Service> => {
  const services = sources.flatMap(({ path, text }) =>
    [...text.matchAll(serviceClass)].map(([, name]) => ({ name: name!, path, text }))
  )
  const names = new Set(services.map(({ name }) => name))
  return services.map(({ name, path, text }) => ({
    name,
    path,
    dependencies: new Set(
      parseSync(path, text)
        .module.staticImports.flatMap(({ entries }) => entries)
        .flatMap(({ isType, importName }) => (isType ? [] : [importName.name ?? ""]))
        .filter((imported) => names.has(imported))
    )
  }))
}
