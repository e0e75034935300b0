/** Scopes of an installation, and the spaces and sites that it covers, computed from its row and the manifest. */
import type { InstallationRow, PlacementKind, PlacementRow } from "./Installation.ts"
import type { IntegrationRow } from "./Integration.ts"
import type { IntegrationScope } from "./IntegrationManifest.ts"

type PublishedIntegration = Pick<IntegrationRow, "manifest">

/** Returns true if an installation covers a space or site: by a placement, or because it covers all of them. */
export const covers = (
  { manifest: { target } }: PublishedIntegration,
  { spaceSelection, siteSelection }: InstallationRow,
  kind: PlacementKind,
  placement: PlacementRow | undefined
): boolean =>
  (target === "all" || target === kind) &&
  (placement !== undefined || (kind === "space" ? spaceSelection : siteSelection) === "all")

/** Returns the scopes of an installation that are both requested and granted. */
export const scopesOf = (
  { manifest }: PublishedIntegration,
  { scopes }: Pick<InstallationRow, "scopes">
): ReadonlyArray<IntegrationScope> => manifest.scopes.filter((scope) => scopes.includes(scope))
