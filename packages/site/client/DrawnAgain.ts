/** Event of a block of an integration that was drawn again: what scripts add to pages is to be added to it anew. */
export const drawnAgain = "lectern-drawn-again"
