/**
 * Texts of the pages, in one language: the shape of the JSON files in this folder. A name in braces is a placeholder.
 */
import type { FactorMessages } from "./FactorMessages.ts"

export interface LinkMailTexts {
  readonly subject: string
  readonly text: string
  readonly button: string
}

export interface Messages extends FactorMessages {
  readonly signIn: string
  readonly signOut: string
  readonly email: string
  readonly password: string
  readonly forgotten: string
  /** Separates the ways to sign in. */
  readonly or: string
  readonly sendLink: string
  /** `{provider}`: name of an identity provider. */
  readonly continueWith: string
  readonly withProvider: string
  readonly noWay: string
  readonly wrongPassword: string
  /** `{seconds}`: seconds to wait. */
  readonly waitSeconds: string
  readonly unavailable: string
  readonly checkMail: string
  /** `{email}`: address that was entered. */
  readonly checkMailText: string
  readonly noMail: string
  /** `{email}`: address of the account. */
  readonly linkText: string
  readonly linkEnded: string
  readonly linkEndedText: string
  readonly invitationTitle: string
  /** `{email}`: invited address. */
  readonly invitationText: string
  readonly join: string
  readonly forgottenTitle: string
  readonly forgottenText: string
  readonly sendPasswordLink: string
  readonly newPasswordTitle: string
  readonly newPassword: string
  readonly currentPassword: string
  readonly passwordHint: string
  readonly passwordProblems: { readonly tooShort: string; readonly tooLong: string; readonly tooCommon: string }
  readonly savePassword: string
  readonly passwordSaved: string
  readonly othersEnded: string
  readonly signInAgain: string
  readonly account: string
  /** `{email}`: address of the account. */
  readonly signedInAs: string
  readonly signOutText: string
  readonly signOutAtProvider: string
  readonly sessions: string
  readonly sessionsText: string
  readonly thisSession: string
  readonly unknownDevice: string
  /** `{date}`: time of the sign-in. */
  readonly since: string
  /** `{date}`: time of the last request. */
  readonly lastUsed: string
  readonly end: string
  readonly endOthers: string
  readonly tokens: string
  readonly tokensText: string
  readonly noTokens: string
  readonly tokenName: string
  readonly tokenLifetime: string
  /** `{days}`: number of days. */
  readonly days: string
  readonly unlimited: string
  readonly createToken: string
  readonly tokenCreated: string
  readonly tokenCreatedText: string
  readonly revoke: string
  /** `{date}`: time of the end. */
  readonly expires: string
  readonly invitations: string
  readonly noInvitations: string
  /** `{organization}`: title of the organization. */
  readonly invitedTo: string
  readonly accept: string
  readonly decline: string
  readonly setPassword: string
  readonly changePassword: string
  readonly passwordSet: string
  readonly passwordUnset: string
  readonly organizationSession: string
  readonly back: string
  readonly notFound: string
  readonly notFoundText: string
  readonly failed: string
  readonly failedText: string
  readonly refused: string
  readonly refusedText: string
  readonly skip: string
  readonly mail: {
    readonly signIn: LinkMailTexts
    readonly password: LinkMailTexts
    readonly once: string
    /** `{email}`: address of the recipient. The address of the server follows. */
    readonly reason: string
  }
  readonly methods: {
    readonly password: string
    readonly link: string
    readonly passkey: string
    readonly oidc: string
    readonly saml: string
  }
}
