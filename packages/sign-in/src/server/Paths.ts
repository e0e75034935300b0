/** Paths of the pages, all below `/-/` on the server's own origin. */

export const root = "/-/"

/** Page to which a browser goes after signing in, if it wanted no other. */
export const homePath = "/"

export const signInPath = "/-/sign-in"
export const signOutPath = "/-/sign-out"
/** Requests a link by mail. */
export const mailLinkPath = "/-/sign-in/link"
/** Page of a link, with the secret in `token`. */
export const linkPath = "/-/link"
export const forgottenPasswordPath = "/-/password"
/** Chooses a new password after a link. */
export const newPasswordPath = "/-/password/new"
export const accountPath = "/-/account"
export const accountPasswordPath = "/-/account/password"
export const sessionsPath = "/-/account/sessions"
export const tokensPath = "/-/account/tokens"
export const invitationsPath = "/-/account/invitations"
/** Requires the second factor. */
export const factorPath = "/-/factor"
export const factorPasskeyPath = "/-/factor/passkey"
/** Sets up the first factor of a user whose organization demands one. */
export const firstAppPath = "/-/factor/app"
export const firstPasskeyPath = "/-/factor/new-passkey"
export const passkeySignInPath = "/-/sign-in/passkey"
export const passkeysPath = "/-/account/passkeys"
export const secondFactorPath = "/-/account/factor"
export const appPath = "/-/account/factor/app"
export const removedAppPath = "/-/account/factor/app/removed"
export const passkeyFactorPath = "/-/account/factor/passkey"
export const recoveryCodesPath = "/-/account/factor/codes"

/** Returns the path of the options that a script passes to the browser, for the path of a form with a passkey. */
export const optionsPath = <Path extends string>(path: Path) => `${path}/options` as const
