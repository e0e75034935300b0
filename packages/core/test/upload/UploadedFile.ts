import type { OrganizationId } from "@lectern/core/organization/Organization"
import type { UploadKind } from "@lectern/core/upload/Upload"
import { Uploads } from "@lectern/core/upload/Uploads"
import { Effect } from "effect"

const textEncoder = new TextEncoder()

/** Bytes that are recognized as a WOFF2 font. */
export const woff2 = (text: string) => textEncoder.encode(`wOF2${text}`)

/** Returns the parts of an upload URL. */
export const linkOf = (organization: OrganizationId, { url, key }: { readonly url: string; readonly key: string }) => {
  const query = new URL(url).searchParams
  return {
    organization,
    upload: key,
    expires: Number(query.get("expires")),
    signature: query.get("signature")!
  }
}

/** Uploads a file and returns it. */
export const upload = Effect.fnUntraced(function* (
  organization: OrganizationId,
  kind: UploadKind,
  name: string,
  bytes: Uint8Array
) {
  const uploads = yield* Uploads
  const file = { name, type: "application/octet-stream", size: bytes.length }
  const started = yield* uploads.begin(organization, { file, kind })
  return yield* uploads.put(linkOf(organization, started), bytes)
})
