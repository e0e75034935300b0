/** Applies changes to the faces of a font. */
import { regular, type FontFaceRow, maxFaces } from "./Font.ts"

export interface FaceChange {
  readonly weight: number
  /** Null removes the face of this weight. */
  readonly face: FontFaceRow | null
}

/** Returns the faces ordered by weight, or the reason why the result would be invalid. */
export const changed = (
  faces: ReadonlyArray<FontFaceRow>,
  changes: ReadonlyArray<FaceChange>
): ReadonlyArray<FontFaceRow> | string => {
  const byWeight = new Map(faces.map((face) => [face.weight, face]))
  const seenWeights = new Set<number>()
  for (const { weight, face } of changes) {
    if (seenWeights.has(weight)) return `The weight ${weight} stands there twice`
    seenWeights.add(weight)
    if (face === null) byWeight.delete(weight)
    else byWeight.set(weight, face)
  }
  if (!byWeight.has(regular)) return `A font needs a face of the weight ${regular}`
  if (byWeight.size > maxFaces) return `A font has at most ${maxFaces} faces`
  return [...byWeight.values()].toSorted((a, b) => a.weight - b.weight)
}
