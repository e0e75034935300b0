/** Paths of the pages, all below `/-/` on the server's own origin. */

export const root = "/-/"

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
