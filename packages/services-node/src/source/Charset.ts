/**
 * Decodes the bytes of an HTML page. Many servers state a wrong encoding, so bytes that are valid UTF-8 are decoded as
 * UTF-8. Otherwise the byte order mark decides, then the encoding in `contentType`, then the encoding that the page
 * states. If `contentType` states UTF-16, the first step is skipped.
 */
import sniff from "html-encoding-sniffer"

export const decode = (bytes: Uint8Array, contentType: string | undefined): string => {
  const declared = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType ?? "")?.[1]
  if (!/^utf-?16/i.test(declared ?? "")) {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    } catch {
      // The bytes are not UTF-8.
    }
  }
  const encoding = sniff(bytes, declared === undefined ? {} : { transportLayerEncodingLabel: declared })
  return decoderOf(encoding).decode(bytes)
}

const decoderOf = (encoding: string): TextDecoder => {
  try {
    return new TextDecoder(encoding)
  } catch {
    return new TextDecoder("utf-8")
  }
}
