/**
 * Finds out where a component of an integration may be drawn: blocks in documents, screens where their level,
 * or their content source, is configured. A component that is declared for one place is drawn nowhere else, so
 * that no reader of a page is shown what only administrators configure. One that the manifest declares nowhere
 * is a dialog, which any of the others may open.
 */
import type { IntegrationManifest } from "./IntegrationManifest.ts"
import type { RenderContext } from "./IntegrationRender.ts"

type Place = RenderContext["type"]

/** Every render asks, so nothing is made of the manifest. */
const isDeclaredFor = (
  { blocks, configurations, contentSources }: IntegrationManifest,
  component: string,
  place: Place
): boolean => {
  const isConfiguredBy = (configuration: object | undefined) =>
    configuration !== undefined && "componentId" in configuration && configuration.componentId === component
  switch (place) {
    case "document":
      return blocks?.some(({ id }) => id === component) === true
    case "configuration_account":
      return isConfiguredBy(configurations?.account)
    case "configuration_space":
      return isConfiguredBy(configurations?.space)
    case "configuration_site":
      return isConfiguredBy(configurations?.site)
    case "configuration_contentsource":
      return contentSources?.some(({ configuration: { componentId } }) => componentId === component) === true
  }
}

const places: ReadonlyArray<Place> = [
  "document",
  "configuration_account",
  "configuration_space",
  "configuration_site",
  "configuration_contentsource"
]

export const isDrawnIn = (manifest: IntegrationManifest, component: string, place: Place): boolean =>
  isDeclaredFor(manifest, component, place) || !places.some((other) => isDeclaredFor(manifest, component, other))
