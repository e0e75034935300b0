/**
 * Responses of passkeys as browsers send them: the JSON form of `PublicKeyCredential`. They come from outside, so all
 * texts have limits, and only the fields that are needed are read.
 */
import * as Text from "@lectern/core/schema/Text"
import { Effect, Option, Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { refused } from "./PasskeyRefused.ts"

/** Maximum length of a response as JSON, in characters. */
export const maxResponseLength = 64_000

const base64Url = (max: number) => Text.between(1, max).check(Schema.isPattern(/^[\w-]+$/))

/** At most 1,023 bytes. */
const CredentialId = base64Url(1364)
const ClientData = base64Url(4096)

/** Response to `navigator.credentials.create`. */
export const CreationResponse = Schema.Struct({
  id: CredentialId,
  rawId: CredentialId,
  type: Schema.Literal("public-key"),
  response: Schema.Struct({
    clientDataJSON: ClientData,
    attestationObject: base64Url(32_000),
    transports: Schema.optionalKey(Schema.Array(Schema.Unknown))
  })
})
export type CreationResponse = typeof CreationResponse.Type

/** Response to `navigator.credentials.get`. */
export const AssertionResponse = Schema.Struct({
  id: CredentialId,
  rawId: CredentialId,
  type: Schema.Literal("public-key"),
  response: Schema.Struct({
    clientDataJSON: ClientData,
    authenticatorData: base64Url(4096),
    signature: base64Url(8192),
    userHandle: Schema.optionalKey(Schema.NullOr(Schema.String))
  })
})
export type AssertionResponse = typeof AssertionResponse.Type

const malformed = Effect.suspend(() =>
  Effect.fail(refused("malformed", "The browser sent no response of a passkey. Start again"))
)

/** Returns a parser of JSON. It fails with `PasskeyRefused` for anything else than a value of the schema. */
const parserOf = <S extends Schema.Top & { readonly DecodingServices: never }>(schema: S) => {
  const decode = Schema.decodeUnknownResult(Schema.fromJsonString(schema))
  return (text: string) =>
    Effect.suspend(() => {
      const result = text.length > maxResponseLength ? undefined : decode(text)
      return result !== undefined && Result.isSuccess(result) ? Effect.succeed(result.success) : malformed
    })
}

export const parseCreation = parserOf(CreationResponse)
export const parseAssertion = parserOf(AssertionResponse)

const decodeClientData = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ challenge: base64Url(1000) }))
)

/** Returns the challenge in the client data of a response, as the text that `PasskeyChallenges` made. */
export const challengeIn = (clientDataJSON: string): string | undefined =>
  Option.getOrUndefined(
    Option.flatMap(textOf(clientDataJSON), (json) =>
      Option.flatMap(decodeClientData(json), ({ challenge }) => textOf(challenge))
    )
  )

const textOf = (base64: string) => Result.getSuccess(Base64Url.decodeString(base64))

/** Transports that browsers know. Others are dropped, since they come from the authenticator. */
const knownTransports: ReadonlyArray<unknown> = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]

export const transportsOf = ({ response }: CreationResponse): ReadonlyArray<string> =>
  knownTransports.filter((one) => response.transports?.includes(one)) as ReadonlyArray<string>
