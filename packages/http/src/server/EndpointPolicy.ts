/**
 * Content security policy of integration endpoints. The sandbox comes first and an integration can't remove it:
 * policies of the response are appended, and a browser applies all of them.
 *
 * Limit: 4,096 printable ASCII characters for the policies of a response. Others are dropped.
 */

const sandbox =
  "sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"

const isPolicy = (text: string): boolean => /^[\t\x20-\x7e]{1,4096}$/.test(text)

/**
 * Returns the policy of a response. `manifestPolicy` applies to all responses of the integration; `headers` are those
 * of the response.
 */
export const policyOf = (
  manifestPolicy: string | undefined,
  headers: ReadonlyArray<readonly [name: string, value: string]>
): string => {
  const required = manifestPolicy === undefined ? sandbox : `${sandbox}; ${manifestPolicy}`
  const ownPolicy = headers.flatMap(([name, value]) => (name === "content-security-policy" ? [value] : [])).join(", ")
  return isPolicy(ownPolicy) ? `${required}, ${ownPolicy}` : required
}
