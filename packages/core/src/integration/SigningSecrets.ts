/**
 * The keys that programs sign with, each for an integration, an installation, or a space or site that one is
 * on. Nothing of them is stored: the instance makes them anew, and nobody else can.
 */
import type { Instance } from "../identity/Instance.ts"
import type { InstallationId, PlacementKind } from "./Installation.ts"
import type { IntegrationRow } from "./Integration.ts"

type Signs = Pick<Instance["Service"], "sign">

const secret = ({ sign }: Signs, ...of: ReadonlyArray<string>) => sign("integration signing secret", of.join("\n"))

/** Of no other integration that is published by its name, before or after it. */
export const ofIntegration = (instance: Signs, { key, createdAt }: Pick<IntegrationRow, "key" | "createdAt">): string =>
  secret(instance, key, createdAt)

export const ofInstallation = (instance: Signs, installation: InstallationId): string => secret(instance, installation)

/** On a site, it signs the tokens of the visitors that the installation lets in. */
export const ofPlacement = (
  instance: Signs,
  installation: InstallationId,
  kind: PlacementKind,
  content: string
): string => secret(instance, installation, kind, content)
