/** Extent and scopes of an installation: pure rules of its rows and of what is published. */
import type { InstallationRow, PlacementKind, PlacementRow } from "./Installation.ts"
import type { IntegrationRow } from "./Integration.ts"
import type { IntegrationScope } from "./IntegrationManifest.ts"

type Published = Pick<IntegrationRow, "manifest">

/** Tells whether an installation is on a space or site: placed there, or on all of them. */
export const isOn = (
  { manifest: { target } }: Published,
  { spaceSelection, siteSelection }: InstallationRow,
  kind: PlacementKind,
  placement: PlacementRow | undefined
): boolean =>
  (target === "all" || target === kind) &&
  (placement !== undefined || (kind === "space" ? spaceSelection : siteSelection) === "all")

/** The scopes that an installation may use by now: those that are asked for and agreed to. */
export const scopesOf = (
  { manifest }: Published,
  { scopes }: Pick<InstallationRow, "scopes">
): ReadonlyArray<IntegrationScope> => manifest.scopes.filter((scope) => scopes.includes(scope))
