/**
 * Bytes of HTML as text. Many servers say what is not so: what is UTF-8 without a mistake is UTF-8,
 * and what is not is what its byte order mark, the server or the page say, in this order.
 */
import sniff from "html-encoding-sniffer"

export const decode = (bytes: Uint8Array, contentType: string | undefined): string => {
  const said = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType ?? "")?.[1]
  if (!/^utf-?16/i.test(said ?? "")) {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    } catch {
      // It is something else.
    }
  }
  const encoding = sniff(bytes, said === undefined ? {} : { transportLayerEncodingLabel: said })
  return decoderOf(encoding).decode(bytes)
}

const decoderOf = (encoding: string): TextDecoder => {
  try {
    return new TextDecoder(encoding)
  } catch {
    return new TextDecoder("utf-8")
  }
}
