/**
 * Content security policy of what programs answer at their endpoints. The sandbox is a policy that no program can take
 * away: whatever the answer itself says stands behind it as further ones, and a browser keeps to all of them.
 *
 * Limit: the policies of an answer are 4,096 characters of printable ASCII. Longer or other ones are left out.
 */

const sandbox =
  "sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"

const isPolicy = (text: string): boolean => /^[\t\x20-\x7e]{1,4096}$/.test(text)

/** `ofManifest` holds for all answers of the integration; the headers are those of one. */
export const policyOf = (
  ofManifest: string | undefined,
  headers: ReadonlyArray<readonly [name: string, value: string]>
): string => {
  const always = ofManifest === undefined ? sandbox : `${sandbox}; ${ofManifest}`
  const own = headers.flatMap(([name, value]) => (name === "content-security-policy" ? [value] : [])).join(", ")
  return isPolicy(own) ? `${always}, ${own}` : always
}
