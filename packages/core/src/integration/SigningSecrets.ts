/**
 * Keys that programs sign with: one for each integration, installation, and space or site of an installation. They are
 * derived from the secret of the instance and not stored.
 */
import type { Instance } from "../identity/Instance.ts"
import type { InstallationId, PlacementKind } from "./Installation.ts"
import type { IntegrationRow } from "./Integration.ts"

type Signer = Pick<Instance["Service"], "sign">

const secret = ({ sign }: Signer, ...parts: ReadonlyArray<string>) =>
  sign("integration signing secret", parts.join("\n"))

/** Returns the key of an integration. It differs for a later integration of the same name. */
export const ofIntegration = (
  instance: Signer,
  { key, createdAt }: Pick<IntegrationRow, "key" | "createdAt">
): string => secret(instance, key, createdAt)

export const ofInstallation = (instance: Signer, installation: InstallationId): string => secret(instance, installation)

/** Returns the key of an installation on a space or site. On a site, it signs the tokens of visitors. */
export const ofPlacement = (
  instance: Signer,
  installation: InstallationId,
  kind: PlacementKind,
  content: string
): string => secret(instance, installation, kind, content)
