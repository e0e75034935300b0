/** Types of the package `samlp`, limited to the parts that tests use. */
declare module "samlp" {
  export interface SamlpOptions {
    readonly issuer: string
    readonly key: string
    readonly cert: string
    readonly audience?: string
    readonly recipient?: string
    readonly destination?: string
    readonly inResponseTo?: string
    readonly lifetimeInSeconds?: number
    readonly signatureAlgorithm?: "rsa-sha256" | "rsa-sha1"
    readonly digestAlgorithm?: "sha256" | "sha1"
    readonly signResponse?: boolean
    readonly signAssertion?: boolean
    readonly encryptionPublicKey?: string
    readonly encryptionCert?: string
    readonly profileMapper: (user: unknown) => {
      readonly getClaims: () => Readonly<Record<string, string>>
      readonly getNameIdentifier: () => { readonly nameIdentifier: string; readonly nameIdentifierFormat?: string }
    }
  }
  export interface ParsedRequest {
    readonly id: string
    readonly issuer: string
    readonly assertionConsumerServiceURL: string
    readonly destination: string
  }
  const samlp: {
    readonly getSamlResponse: (
      options: SamlpOptions,
      user: object,
      done: (error: Error | null, xml: string) => void
    ) => void
    readonly parseRequest: (
      request: { readonly query: { readonly SAMLRequest: string } },
      done: (error: Error | null, parsed: ParsedRequest) => void
    ) => void
  }
  // oxlint-disable-next-line import/no-default-export
  export default samlp
}
