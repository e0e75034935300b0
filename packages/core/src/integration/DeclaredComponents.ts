/**
 * Finds out where a component of an integration may be drawn: blocks in documents, screens where their level,
 * or their content source, is configured. A component that is declared for one place is drawn nowhere else, so
 * that no reader of a page is shown what only administrators configure. One that the manifest declares nowhere
 * is a dialog, which any of the others may open.
 */
import type { IntegrationManifest } from "./IntegrationManifest.ts"
import type { RenderContext } from "./IntegrationRender.ts"

type Place = RenderContext["type"]

const levels = ["account", "space", "site"] as const

const placesOf = (manifest: IntegrationManifest, component: string): ReadonlyArray<Place> => {
  const { blocks = [], configurations = {}, contentSources = [] } = manifest
  const configured = levels.filter((level) => {
    const configuration = configurations[level]
    return configuration !== undefined && "componentId" in configuration && configuration.componentId === component
  })
  return [
    ...blocks.flatMap(({ id }): ReadonlyArray<Place> => (id === component ? ["document"] : [])),
    ...configured.map((level): Place => `configuration_${level}`),
    ...contentSources.flatMap(({ configuration: { componentId } }): ReadonlyArray<Place> =>
      componentId === component ? ["configuration_contentsource"] : []
    )
  ]
}

export const isDrawnIn = (manifest: IntegrationManifest, component: string, place: Place): boolean => {
  const places = placesOf(manifest, component)
  return places.length === 0 || places.includes(place)
}
