/** Pictures of pasted HTML: those with data become files for the host, so that no document has them as text. */

const data = /^data:image\/(png|jpe?g|gif|webp|avif|svg\+xml);base64,([a-z0-9+/=\s]*)$/i

/** Limits of the pictures of one paste. */
const maxPictures = 50
const maxBase64 = 30 * 1024 * 1024

/** Removes pictures with data from the HTML, and returns them as files. Also removes pictures that no page can show. */
export const takePictures = (root: Element): ReadonlyArray<File> => {
  const files: Array<File> = []
  for (const image of Array.from(root.querySelectorAll("img"))) {
    const source = image.getAttribute("src") ?? ""
    const isPixel = Number(image.getAttribute("width") ?? 9) <= 2 && Number(image.getAttribute("height") ?? 9) <= 2
    if (/^https?:\/\//i.test(source) && !isPixel) continue
    const [, type, base64] = (source.length <= maxBase64 && data.exec(source)) || []
    if (type !== undefined && files.length < maxPictures) {
      const file = fileOf(type.toLowerCase(), base64!, files.length + 1)
      if (file !== undefined) files.push(file)
    }
    image.remove()
  }
  return files
}

const fileOf = (type: string, base64: string, number: number): File | undefined => {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const extension = type === "jpeg" ? "jpg" : type.replace("+xml", "")
    return new File([bytes], `picture-${number}.${extension}`, { type: `image/${type}` })
  } catch {
    return undefined
  }
}
