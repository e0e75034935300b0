/**
 * Signs what is sent, so that a receiver knows that it is of this installation and of now: as Standard Webhooks has it
 * (https://www.standardwebhooks.com), so that libraries of most languages check it. It is an HMAC-SHA256 with the
 * secret, over the id, the time and the body.
 */
const encoder = new TextEncoder()

const prefix = "whsec_"

const bytesIn = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

/** Behind the prefix a secret is Base64 of the key; any other text is the key itself. */
const keyOf = (secret: string) =>
  /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(secret)
    ? bytesIn(secret.slice(prefix.length))
    : encoder.encode(secret)

/** The headers of a message that is sent at this time, in seconds since 1970. */
export const headers = async (
  secret: string,
  { id, body }: { readonly id: string; readonly body: string },
  seconds: number
): Promise<Record<string, string>> => {
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", keyOf(secret), algorithm, false, ["sign"])
  const signed = await crypto.subtle.sign("HMAC", key, encoder.encode(`${id}.${seconds}.${body}`))
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${btoa(String.fromCharCode(...new Uint8Array(signed)))}`
  }
}
