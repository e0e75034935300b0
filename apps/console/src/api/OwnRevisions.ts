/** Revisions that writes of this tab made. Their events say nothing new. Limit: the last 200. */
const maxRevisions = 200
const revisions = new Set<string>()

export const addOwnRevision = (revision: string): void => {
  revisions.add(revision)
  if (revisions.size > maxRevisions) revisions.delete(revisions.values().next().value!)
}

export const isOwnRevision = (revision: string): boolean => revisions.has(revision)
