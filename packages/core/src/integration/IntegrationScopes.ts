/**
 * Actions that each scope allows an installation on the content that it covers. An action without scopes is never
 * allowed. The compiler rejects an action that is missing in these tables.
 */
import type { SpecAction } from "../openapi/OpenApiSpecPolicy.ts"
import type { SiteAction } from "../site/SitePolicy.ts"
import type { SpaceAction } from "../space/SpacePolicy.ts"
import type { IntegrationScope } from "./IntegrationManifest.ts"

/** Scopes by action. One of the scopes of an action is sufficient. */
type ScopesByAction<Action extends string> = Readonly<Record<Action, ReadonlyArray<IntegrationScope>>>

export const spaceScopes: ScopesByAction<SpaceAction> = {
  "see this space": ["space:metadata:read", "space:metadata:write", "space:content:read", "space:content:write"],
  "read this space": ["space:content:read", "space:content:write"],
  "see the work on this space": ["space:content:read", "space:content:write"],
  "comment on this space": [],
  "open a change request": ["space:content:write"],
  "edit this space": ["space:content:write"],
  "review change requests": [],
  "duplicate this space": [],
  "move this space": [],
  "transfer this space": [],
  "change this space": ["space:metadata:write"],
  "give access to this space": [],
  "delete this space": [],
  "restore this space": [],
  "synchronise this space with Git": ["space:git:sync"],
  "place integrations on this space": []
}

export const siteScopes: ScopesByAction<SiteAction> = {
  "see this site": ["site:metadata:read"],
  "see what is published of this site": ["site:metadata:read"],
  "preview this site": [],
  "see the adaptive schema of this site": ["site:adaptive:read", "site:adaptive:write"],
  "change the adaptive schema of this site": ["site:adaptive:write"],
  "see the insights of this site": [],
  "change this site": [],
  "change the structure of this site": [],
  "publish this site": [],
  "see the secrets of this site": [],
  "place integrations on this site": [],
  "delete this site": []
}

export const specScopes: ScopesByAction<SpecAction> = {
  "see this spec": ["openapi:read", "openapi:write"],
  "make specs in this organization": ["openapi:write"],
  "change this spec": ["openapi:write"],
  "delete this spec": ["openapi:write"]
}
