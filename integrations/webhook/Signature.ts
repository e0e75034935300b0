/**
 * Signs what is sent, so that a receiver knows that it is of this installation and of now: an HMAC-SHA256
 * with the secret, over the time and the body. The receiver makes the same and compares.
 */
const encoder = new TextEncoder()

const hex = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("")

/** `t=<seconds since 1970>,v1=<hex of the HMAC of "t.body">` */
export const signature = async (secret: string, body: string, seconds: number): Promise<string> => {
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"])
  return `t=${seconds},v1=${hex(await crypto.subtle.sign("HMAC", key, encoder.encode(`${seconds}.${body}`)))}`
}
