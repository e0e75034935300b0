/**
 * Decides in which contexts a component of an integration may render: blocks in documents, configuration components on
 * the configuration screen of their level or content source. A component declared for one context renders in no other,
 * so readers of a page never see a screen meant for administrators. A component that the manifest does not declare is a
 * dialog, which any declared component may open.
 */
import type { IntegrationManifest } from "./IntegrationManifest.ts"
import type { RenderContext } from "./IntegrationRender.ts"

type RenderContextType = RenderContext["type"]

/** Called for every render, so no lookup structure is built from the manifest. */
const isDeclaredFor = (
  { blocks, configurations, contentSources }: IntegrationManifest,
  component: string,
  contextType: RenderContextType
): boolean => {
  const isConfiguredBy = (configuration: object | undefined) =>
    configuration !== undefined && "componentId" in configuration && configuration.componentId === component
  switch (contextType) {
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

const contextTypes: ReadonlyArray<RenderContextType> = [
  "document",
  "configuration_account",
  "configuration_space",
  "configuration_site",
  "configuration_contentsource"
]

export const mayRenderIn = (
  manifest: IntegrationManifest,
  component: string,
  contextType: RenderContextType
): boolean =>
  isDeclaredFor(manifest, component, contextType) ||
  !contextTypes.some((other) => isDeclaredFor(manifest, component, other))
