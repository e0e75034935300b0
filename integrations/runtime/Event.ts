/** Events that the integrations here handle. Every event has an id and a type. */

interface OfInstallation {
  readonly installationId: string
}

interface OfSpace extends OfInstallation {
  readonly spaceId: string
}

interface OfSite extends OfInstallation {
  readonly siteId: string
}

export interface PageFeedback extends OfSite {
  readonly type: "page_feedback"
  readonly spaceId?: string
  readonly pageId?: string
  readonly feedback: { readonly rating: "bad" | "ok" | "good"; readonly comment?: string }
  readonly url: string
}

export interface ContentUpdated extends OfSpace {
  readonly type: "space_content_updated"
  readonly revisionId: string
  readonly updatedBy: ReadonlyArray<{ readonly displayName: string }>
}

/** Request to render a component, after the user's `action` if present. */
export interface Render extends OfInstallation {
  readonly type: "ui_render"
  readonly spaceId?: string
  readonly siteId?: string
  readonly componentId: string
  readonly props: Values
  readonly state?: Values
  readonly context: { readonly type: string; readonly theme: "dark" | "light"; readonly editable?: boolean }
  readonly action?: { readonly action: string; readonly [name: string]: unknown }
}

/** HTTP request to a public endpoint of the integration. `Asked.request` contains its body. */
export interface Fetched {
  readonly type: "fetch"
  readonly installationId?: string
  readonly spaceId?: string
  readonly siteId?: string
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: { readonly [name: string]: string }
  }
}

export interface PublishedScript extends OfSite {
  readonly type: "fetch_published_script"
}

/** Request to sign a visitor of a site on, or off if `action` is `logout`. */
export interface VisitorAuthentication extends OfSite {
  readonly type: "fetch_visitor_authentication"
  /** Path on the site that the visitor wants to reach. */
  readonly location?: string
  /** Cookies of the visitor's browser for the endpoint, in the order of the request. */
  readonly cookies?: { readonly [name: string]: string }
  readonly action?: "logout"
}

/** Scheduled task of the program itself. */
export interface Task {
  readonly type: "task"
  readonly task: Values
}

/** Notifications without a response, in addition to `PageFeedback` and `ContentUpdated`. */
interface Other {
  readonly type:
    | "installation_setup"
    | "installation_deleted"
    | "space_installation_setup"
    | "space_installation_deleted"
    | "site_installation_setup"
    | "site_installation_deleted"
    | "space_visibility_updated"
    | "space_gitsync_started"
    | "space_gitsync_completed"
    | "site_view"
  readonly [name: string]: unknown
}

export type Event = (
  | PageFeedback
  | ContentUpdated
  | Render
  | Fetched
  | PublishedScript
  | VisitorAuthentication
  | Task
  | Other
) & { readonly eventId: string }

export type EventOf<Type extends Event["type"]> = Extract<Event, { readonly type: Type }>

export interface Values {
  readonly [name: string]: unknown
}
