/** The virtual authenticator of Chromium, which creates and uses passkeys without a person. */
import type { CDPSession, Page } from "playwright-core"

type Credentials = ReadonlyArray<{
  readonly credentialId: string
  readonly signCount: number
  readonly isResidentCredential: boolean
}>

const credentialsOf = async (session: CDPSession, authenticatorId: string): Promise<Credentials> =>
  (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials

export interface AuthenticatorOptions {
  /** False for a person who cancels. */
  readonly isPersonPresent?: boolean
  /** False for an authenticator without a PIN. */
  readonly isPersonVerified?: boolean
}

/** Adds an authenticator to a page. Returns a function that returns its passkeys. */
export const addAuthenticator = async (
  page: Page,
  { isPersonPresent = true, isPersonVerified = true }: AuthenticatorOptions = {}
): Promise<() => Promise<Credentials>> => {
  const session = await page.context().newCDPSession(page)
  await session.send("WebAuthn.enable")
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: isPersonVerified,
      automaticPresenceSimulation: isPersonPresent
    }
  })
  return () => credentialsOf(session, authenticatorId)
}
