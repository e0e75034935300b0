/** Environment of an event: the installation, and the URL and tokens of the API. */
import type { Values } from "./Event.ts"

interface Configured {
  readonly status: "active" | "pending" | "paused"
  readonly configuration: Values
  readonly urls: { readonly publicEndpoint: string }
}

export interface Environment {
  /** URL of the API without `/v1`. */
  readonly apiEndpoint: string
  readonly apiTokens: { readonly integration: string; readonly installation?: string }
  readonly integration: {
    readonly name: string
    readonly version: number
    readonly urls: { readonly publicEndpoint: string; readonly publicContentEndpoint: string }
  }
  readonly installation?: Configured & { readonly id: string; readonly target: { readonly organization: string } }
  readonly spaceInstallation?: Configured & { readonly space: string }
  readonly siteInstallation?: Configured & { readonly site: string }
  readonly secrets: { readonly [name: string]: string }
  readonly signingSecrets: {
    readonly integration: string
    readonly installation?: string
    readonly spaceInstallation?: string
    readonly siteInstallation?: string
  }
}
