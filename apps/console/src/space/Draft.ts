/**
 * The change request that "Edit" opens: the newest draft of the user, or a new one. So edits of one sitting are together,
 * and no edit reaches the main content by accident.
 */
import { request } from "../api/Api.ts"
import { client, queries } from "../api/Queries.ts"
import type { ChangeRequest, List } from "../api/Resources.ts"

const maxSubject = 100

/** Concurrent calls for one space share a draft. */
const opening = new Map<string, Promise<number>>()

const open = async (space: string, subject: string): Promise<number> => {
  const { id } = await client.ensureQueryData(queries.me())
  const drafts = await request<List<ChangeRequest>>(`/spaces/${space}/change-requests`, {
    query: { status: "draft", contributor: id }
  })
  const own = drafts.items.find(({ createdBy }) => createdBy.id === id)
  if (own !== undefined) return own.number
  const { number } = await request<ChangeRequest>(`/spaces/${space}/change-requests`, {
    body: { subject: Array.from(subject).slice(0, maxSubject).join("") }
  })
  void client.invalidateQueries({ queryKey: ["change-requests", space] })
  void client.invalidateQueries({ queryKey: ["space", space] })
  return number
}

/** Returns the number of the draft. `subject`: subject of a new one. */
export const openDraft = (space: string, subject: string): Promise<number> => {
  const running = opening.get(space) ?? open(space, subject).finally(() => opening.delete(space))
  opening.set(space, running)
  return running
}
