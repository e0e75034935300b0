/** Describes why a connection failed, as a predicate of the host: "does not take connections". */

const messagesByCode: { readonly [code: string]: string } = {
  ENOTFOUND: "is not known",
  EAI_AGAIN: "can't be looked up at the moment",
  ECONNREFUSED: "does not take connections",
  ECONNRESET: "ended the connection",
  EHOSTUNREACH: "can't be reached",
  ENETUNREACH: "can't be reached",
  ETIMEDOUT: "can't be reached",
  CERT_HAS_EXPIRED: "has a certificate that has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "has a certificate that nobody vouches for",
  SELF_SIGNED_CERT_IN_CHAIN: "has a certificate that nobody vouches for",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "has a certificate that nobody vouches for",
  ERR_TLS_CERT_ALTNAME_INVALID: "has a certificate for another name"
}

export const describeConnectionFailure = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return messagesByCode[code] ?? `did not answer as it should${code === "" ? "" : ` (${code})`}`
}
