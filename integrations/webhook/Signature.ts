/**
 * Signs messages, so that a receiver can verify that this installation sent them recently. Follows Standard Webhooks
 * (https://www.standardwebhooks.com), which libraries of most languages verify. A signature is an HMAC-SHA256 with the
 * secret, over the id, the time and the body.
 */
const encoder = new TextEncoder()

const prefix = "whsec_"

const bytesIn = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

/** Returns the key of a secret: decoded Base64 after the prefix `whsec_`, or the text itself if it has another form. */
const keyOf = (secret: string) =>
  /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(secret)
    ? bytesIn(secret.slice(prefix.length))
    : encoder.encode(secret)

/** Returns the headers of a message. `seconds`: time of sending, in seconds since 1970. */
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
